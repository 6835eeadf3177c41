import type { Finding } from '../boot-audit/audit.js';
import type { ServerReport } from '../boot-audit/server-report.js';
import type { Inspection, PlacedFinding } from './app.inspector.js';
import { CommandError } from './command.error.js';

/** Format of a report. */
export interface PrintOptions {
  /** JSON, for programs. */
  readonly json: boolean;
  /** Includes the stack of an error. */
  readonly verbose: boolean;
}

const UNSEEN = 'What main.ts sets up is not seen: shutdown hooks, global guards, body parsers.';

/** The findings of the doctor. */
export function printInspection({ servers, findings }: Inspection, { json }: PrintOptions): string {
  if (json)
    return toJson({ servers: servers.map(({ findings: _own, patterns: _judged, ...server }) => server), findings });
  const verdict =
    findings.length === 0 ? ['No findings.'] : [`Findings: ${findings.length}`, ...findings.map(describeFinding)];
  return `${[...servers.map(describeServer), ...verdict, UNSEEN].join('\n')}\n`;
}

/** Why the doctor has no findings about servers, and what it found before the app started. */
export function printFailure(error: unknown, known: readonly Finding[], { json, verbose }: PrintOptions): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = verbose && error instanceof Error ? stackOf(error) : undefined;
  if (json) return toJson({ error: { message, ...(stack === undefined ? {} : { stack }) }, findings: known });
  const heading = error instanceof CommandError ? [] : ['The app does not start.'];
  const lines = [...known.map(describeFinding), ...heading, message, ...(stack === undefined ? [] : ['', stack])];
  return `${lines.join('\n')}\n`;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function stackOf({ stack, cause }: Error): string {
  return cause instanceof Error ? `${stack}\nCaused by: ${cause.stack}` : `${stack}`;
}

function describeFinding({ check, text, server }: PlacedFinding): string {
  return `- ${text} [${server === undefined ? check : `${check}, server "${server}"`}]`;
}

function describeServer({ name, server, paths, urls, revisions, counts }: ServerReport): string {
  const places = [...paths, ...urls];
  const offers = Object.entries(counts).map(([list, count]) => `${count} ${list}`);
  const facts = [
    ['endpoint', places.length === 0 ? 'none' : places.map((path) => `POST ${path}`).join(', ')],
    ['revisions', revisions.join(', ')],
    ['offers', offers.join(', ')],
  ] as const;
  const lines = facts.map(([label, fact]) => `  ${label.padEnd(10)} ${fact}`);
  return [`${name} (server "${server}")`, ...lines, ''].join('\n');
}

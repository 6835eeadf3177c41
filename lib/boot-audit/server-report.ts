import type { Finding } from './audit.js';
import type { AuthorPattern } from './author-patterns.js';

/** The state of a started server and its problems; also the output of the command of this package. */
export interface ServerReport {
  readonly name: string;
  readonly server: string;
  /** Path in the app's HTTP server; empty for a server that is not reachable over it. */
  readonly paths: readonly string[];
  /** URL of its own listener; empty if there is none. */
  readonly urls: readonly string[];
  readonly revisions: readonly string[];
  readonly counts: {
    readonly tools: number;
    readonly resources: number;
    readonly templates: number;
    readonly prompts: number;
  };
  readonly findings: readonly Finding[];
  /** Collected for the command alone, because checking them takes longer than a start should. */
  readonly patterns: readonly AuthorPattern[];
}

/** Property by which another copy of the package finds the reporter among the providers of an app. */
export const REPORTS_SERVER = Symbol.for('MCP_REPORTS_SERVER');

export interface ServerReporter {
  readonly [REPORTS_SERVER]: () => ServerReport;
}

/** Set for the whole process by a command that starts an app to inspect it: transports must not listen then. */
const INSPECTED = Symbol.for('MCP_INSPECTED');

type Marked = typeof globalThis & { [INSPECTED]?: boolean };

export function markInspection(): void {
  (globalThis as Marked)[INSPECTED] = true;
}

export const isInspected = (): boolean => (globalThis as Marked)[INSPECTED] === true;

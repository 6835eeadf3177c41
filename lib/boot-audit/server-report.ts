import type { Finding } from './audit.js';
import type { AuthorPattern } from './author-patterns.js';

/** What a started server is, and what is wrong with it; also what the command of the package prints. */
export interface ServerReport {
  readonly name: string;
  readonly server: string;
  /** Where it answers in the app's HTTP server; empty for a server that this does not reach. */
  readonly paths: readonly string[];
  /** Where its own listener answers; empty while there is none. */
  readonly urls: readonly string[];
  readonly revisions: readonly string[];
  readonly counts: {
    readonly tools: number;
    readonly resources: number;
    readonly templates: number;
    readonly prompts: number;
  };
  readonly findings: readonly Finding[];
  /** Collected for the command alone, which judges them: that takes longer than a start should. */
  readonly patterns: readonly AuthorPattern[];
}

/** Property by which another copy of the package finds the reporter among the providers of an app. */
export const REPORTS_SERVER = Symbol.for('MCP_REPORTS_SERVER');

export interface ServerReporter {
  readonly [REPORTS_SERVER]: () => ServerReport;
}

/** Set for the whole process by a command that starts an app to look at it: nothing may listen for it. */
const INSPECTED = Symbol.for('MCP_INSPECTED');

type Marked = typeof globalThis & { [INSPECTED]?: boolean };

export function markInspection(): void {
  (globalThis as Marked)[INSPECTED] = true;
}

export const isInspected = (): boolean => (globalThis as Marked)[INSPECTED] === true;

import type { LogLevel } from '../model/event.js';

/**
 * A step of a call that is under way.
 *
 * @publicApi
 */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * What a handler logged while it ran.
 *
 * @publicApi
 */
export interface McpLogMessage {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/**
 * Options of one request.
 *
 * @publicApi
 */
export interface McpCallOptions {
  /** Cancels the request; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Told of each step, which the server reports only because this is set. */
  onProgress?: (progress: McpProgress) => void;
  /** Told of log messages of the handler. */
  onLog?: (message: McpLogMessage) => void;
  /**
   * From which level on log messages are wanted.
   *
   * @default 'info', where `onLog` is set
   */
  logLevel?: LogLevel;
  /** Goes with the request as its `_meta`. */
  meta?: Readonly<Record<string, unknown>>;
}

/**
 * What a client wants to hear of.
 *
 * @publicApi
 */
export interface McpListenOptions {
  /** Whether tools came or went. @default false */
  tools?: boolean;
  /** @default false */
  prompts?: boolean;
  /** Whether resources or templates came or went. @default false */
  resources?: boolean;
  /** Resources whose updates are wanted. */
  uris?: readonly string[];
  /** Ends the subscription. */
  signal?: AbortSignal;
}

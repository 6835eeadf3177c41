import type { LogLevel } from '../model/event.js';

/**
 * A progress update of a running call.
 *
 * @publicApi
 */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * A log message of a running handler.
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
  /** Called with each progress update; the server sends updates only if this is set. */
  onProgress?: (progress: McpProgress) => void;
  /** Called with log messages of the handler. */
  onLog?: (message: McpLogMessage) => void;
  /**
   * Minimum level of log messages.
   *
   * @default 'info', if `onLog` is set
   */
  logLevel?: LogLevel;
  /** Sent as `_meta` of the request. */
  meta?: Readonly<Record<string, unknown>>;
}

/**
 * Changes that a client subscribes to.
 *
 * @publicApi
 */
export interface McpListenOptions {
  /** Whether to receive changes of the list of tools. @default false */
  tools?: boolean;
  /** @default false */
  prompts?: boolean;
  /** Whether to receive changes of the lists of resources and templates. @default false */
  resources?: boolean;
  /** URIs of resources whose updates to receive. */
  uris?: readonly string[];
  /** Ends the subscription. */
  signal?: AbortSignal;
}

import type { LoggerService, LogLevel } from '@nestjs/common';

/**
 * Options of `serveStdio()`.
 *
 * @publicApi
 */
export interface StdioOptions {
  /**
   * Name of the server: `server` of its `McpModule.forRoot()`.
   *
   * @default 'default'
   */
  server?: string;
  /**
   * Authentication of the client, which a pipe cannot provide: available as `ctx.auth`, and on the stand-in request under
   * `auth.property`. Take it from the environment of the process, never from messages.
   *
   * @default nobody
   */
  auth?: unknown;
  /**
   * Maximum size of one line in bytes, including its line break. A longer line is refused and skipped.
   *
   * @default 2_000_000
   */
  maxLineBytes?: number;
  /**
   * Maximum number of open subscriptions.
   *
   * @default 32
   */
  maxSubscriptions?: number;
  /**
   * Time in milliseconds after which a client that reads none of the pending bytes is treated as disconnected.
   *
   * @default 5_000
   */
  writeTimeoutMs?: number;
  /**
   * Time limit of running calls after the end of stdin, in milliseconds.
   *
   * @default `limits.drainTimeoutMs` of the server, which is 5_000 by default
   */
  drainTimeoutMs?: number;
  /**
   * The logger of the app, as for `NestFactory`. Its output to stdout goes to stderr.
   *
   * @default Nest's own
   */
  logger?: LoggerService | LogLevel[] | false;
}

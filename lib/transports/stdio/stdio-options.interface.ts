import type { LoggerService, LogLevel } from '@nestjs/common';

/**
 * How a server is served over a pipe.
 *
 * @publicApi
 */
export interface StdioOptions {
  /**
   * Which server of the app: `server` of its `McpModule.forRoot()`.
   *
   * @default 'default'
   */
  server?: string;
  /**
   * Who calls, since a pipe cannot tell: in `ctx.auth`, and on the stand-in request under `auth.property`. Take it from the
   * environment of the process, never from messages.
   *
   * @default nobody
   */
  auth?: unknown;
  /**
   * Bytes of one line, its end included. A longer one is refused and skipped.
   *
   * @default 2_000_000
   */
  maxLineBytes?: number;
  /**
   * Subscriptions that may be open at once.
   *
   * @default 32
   */
  maxSubscriptions?: number;
  /**
   * Milliseconds without a byte taken by the client while there is something to take, after which it counts as gone.
   *
   * @default 5_000
   */
  writeTimeoutMs?: number;
  /**
   * Milliseconds that running calls get when stdin has ended.
   *
   * @default `limits.drainTimeoutMs` of the server, which is 5_000 unless the app says otherwise
   */
  drainTimeoutMs?: number;
  /**
   * The logger of the app, as `NestFactory` takes it. Whatever it writes to stdout goes to stderr.
   *
   * @default Nest's own
   */
  logger?: LoggerService | LogLevel[] | false;
}

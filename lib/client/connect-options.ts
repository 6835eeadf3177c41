import type { Implementation } from '../model/peer.js';
import type { McpInputHandlers } from './input.responder.js';

/**
 * Who calls a server from within its own process.
 *
 * @publicApi
 */
export interface McpConnectOptions {
  /**
   * Who calls, as a guard would have left it on the request: in `ctx.auth`, and on the request under `auth.property`.
   *
   * @default nobody
   */
  auth?: unknown;
  /** Headers of the request that guards see. */
  headers?: Readonly<Record<string, string>>;
  /** Other properties of the request that guards see, such as `session`. */
  request?: Readonly<Record<string, unknown>>;
  /** Name and version of the client. */
  client?: Implementation;
  /** Answers what the server asks during a call. */
  inputs?: McpInputHandlers;
}

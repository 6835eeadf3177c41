import type { Implementation } from '../model/peer.js';
import type { McpInputHandlers } from './input.responder.js';

/**
 * Options of a client in the process of its server.
 *
 * @publicApi
 */
export interface McpConnectOptions {
  /**
   * The authenticated caller, as a guard would store it: in `ctx.auth`, and on the request under `auth.property`.
   *
   * @default no authenticated caller
   */
  auth?: unknown;
  /** Headers of the request that guards see. */
  headers?: Readonly<Record<string, string>>;
  /** Other properties of the request that guards see, such as `session`. */
  request?: Readonly<Record<string, unknown>>;
  /** Name and version of the client. */
  client?: Implementation;
  /** Answer questions of the server during a call. */
  inputs?: McpInputHandlers;
}

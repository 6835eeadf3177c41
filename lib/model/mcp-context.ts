import type { LogLevel } from './event.js';
import type { ClientPeer } from './peer.js';

/**
 * The running call, as its handler sees it. Ask for it by parameter type or with `@Ctx()`.
 *
 * @publicApi
 */
export abstract class McpContext {
  /** Aborts when the client has gone or the call was cancelled. */
  abstract readonly signal: AbortSignal;
  /** The JSON-RPC id of the request; an id beyond 2^53 is a bigint. */
  abstract readonly requestId: string | number | bigint;
  /** The protocol revision that the client speaks. */
  abstract readonly protocolVersion: string;
  /** What the client says about itself; unverified. */
  abstract readonly client: ClientPeer;
  /** What a trusted guard or middleware left on the request about the caller. */
  abstract readonly auth: unknown;
  /** The HTTP request that the endpoint's guards saw; `undefined` off HTTP. */
  abstract readonly request: unknown;
  /** The request's `_meta`, as the client sent it. */
  abstract readonly meta: Readonly<Record<string, unknown>>;

  /**
   * Reports progress. Values that do not increase are dropped; without a progress token nothing is sent.
   *
   * @throws TypeError when a value is not a finite number.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
   */
  abstract progress(done: number, total?: number, message?: string): Promise<void>;

  /** Sends a log message, if the request asked for messages of this level. */
  abstract log(level: LogLevel, data: unknown, logger?: string): Promise<void>;
}

import type { LogLevel } from './event.js';
import type { ClientPeer } from './peer.js';

/**
 * What a request says of the trace that it belongs to, in the forms of W3C Trace Context and Baggage; unverified.
 *
 * @see https://www.w3.org/TR/trace-context/
 * @publicApi
 */
export interface McpTrace {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
  /** Of `traceparent`: 32 hexadecimal digits. */
  readonly traceId?: string;
  /** Of `traceparent`: the span that called, 16 hexadecimal digits. */
  readonly spanId?: string;
  /** Of `traceparent`: whether the caller may have recorded its part. */
  readonly sampled?: boolean;
}

/**
 * The running call, as its handler sees it. Ask for it by parameter type or with `@Ctx()`.
 *
 * @publicApi
 */
export abstract class McpContext {
  /**
   * Aborts when nobody waits for the result any more: the client has gone or cancelled, the deadline has passed, or the
   * server closes. Its `reason` is a {@link CallCancelledError}.
   */
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
  /** The trace that the request belongs to; empty where it names none, or none that can be read. */
  abstract readonly trace: McpTrace;

  /**
   * Reports progress, and resolves when the update was written: awaiting it slows the handler to the pace of its client.
   * Values that do not increase are dropped; without a progress token nothing is sent. Past 1,000 updates only the last
   * one counts. Updates that nobody awaits wait their turn, 100 at most, then newer ones replace older ones.
   *
   * @throws TypeError when a value is not a finite number.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
   */
  abstract progress(done: number, total?: number, message?: string): Promise<void>;

  /**
   * Sends a log message, if the request asked for messages of this level, and resolves when it was written.
   *
   * @throws TypeError for an unknown level, or data that JSON cannot hold.
   */
  abstract log(level: LogLevel, data: unknown, logger?: string): Promise<void>;
}

/** Place of the call among the arguments of an execution context of type `'mcp'`, behind request and response. */
export const CALL_INDEX = 2;

/** The part of a running call that parameter decorators read. */
export interface CallArguments {
  readonly context: McpContext;
}

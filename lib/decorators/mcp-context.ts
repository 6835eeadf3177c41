import type { ClientCapability } from '../questions/client-capabilities.js';
import type { ElicitParams, FormContent } from '../questions/elicit.question.js';
import type { AnswerOf, Question } from '../questions/question.js';
import type { ElicitAnswer, ElicitUrlParams, UrlAnswer, Root, SampleAnswer, SampleParams } from '../model/questions.js';
import type { LogLevel } from '../model/event.js';
import type { ClientPeer } from '../model/peer.js';
import type { McpTrace } from './trace.reader.js';
import type { SchemaSource } from '../schema/schema-source.js';

/**
 * The client of a call: its declared properties, and whether it supports a question.
 *
 * @publicApi
 */
export interface McpCallClient extends ClientPeer {
  /** Whether the client declared this capability in the request. */
  can(capability: ClientCapability): boolean;
}

/**
 * The running call, as its handler sees it. Inject it by parameter type or with `@Ctx()`.
 *
 * A question ends the run: the client repeats the request with its answer, and the handler runs again from the start, with
 * the answers so far and the values of `once()` restored. So place side effects that must not happen twice after the last
 * question, or in `once()`.
 *
 * @publicApi
 */
export abstract class McpContext {
  /**
   * Aborts when the result is not needed any more: the client left or cancelled, the deadline has passed, or the server
   * closes. Its `reason` is a {@link CallCancelledError}.
   */
  abstract readonly signal: AbortSignal;
  /** The JSON-RPC id of the request; an id beyond 2^53 is a bigint. */
  abstract readonly requestId: string | number | bigint;
  /** The protocol revision that the client speaks. */
  abstract readonly protocolVersion: string;
  /** What the client declared about itself; unverified. */
  abstract readonly client: McpCallClient;
  /** The authentication that a trusted guard or middleware has stored on the request. */
  abstract readonly auth: unknown;
  /** The HTTP request that the endpoint's guards saw; `undefined` without HTTP. */
  abstract readonly request: unknown;
  /** The request's `_meta`, as the client sent it. */
  abstract readonly meta: Readonly<Record<string, unknown>>;
  /** The trace that the request belongs to; empty if the request has no valid trace data. */
  abstract readonly trace: McpTrace;
  /** The answers that the client has sent so far, by key; not validated, and empty in the first round. */
  abstract readonly inputResponses: Readonly<Record<string, unknown>>;
  /** The state that `inputRequired({ state })` stored in the previous round; `undefined` in the first round. */
  abstract readonly requestState: unknown;

  /**
   * Reports progress, and resolves when the connection can take more, so that awaiting it slows the handler to the pace of
   * its client. Values that do not increase are dropped; without a progress token nothing is sent. Of the updates after the
   * first 1,000, only the last is sent. Updates that are not awaited are queued, 100 at most; then newer ones replace older ones.
   *
   * @throws TypeError when a value is not a finite number.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
   */
  abstract progress(done: number, total?: number, message?: string): Promise<void>;

  /**
   * Sends a log message, if the request asked for messages of this level, and resolves when the connection can take more.
   *
   * @throws TypeError for an unknown level, or data that JSON cannot encode.
   */
  abstract log(level: LogLevel, data: unknown, logger?: string): Promise<void>;

  /**
   * Asks the user to fill in a form. A client that cannot show forms gets the error -32021; check `client.can()` first if
   * the handler has an alternative.
   *
   * @param key Name of the question within the call; the same on every run.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   */
  abstract elicit<S extends SchemaSource>(key: string, params: ElicitParams<S>): Promise<ElicitAnswer<FormContent<S>>>;

  /** Asks the user to open a page. `accept` is only consent to open it: check the outcome on your own server. */
  abstract elicitUrl(key: string, params: ElicitUrlParams): Promise<UrlAnswer>;

  /** Asks the client's model. Deprecated by the protocol: new servers should call a model directly. */
  abstract sample(key: string, params: SampleParams): Promise<SampleAnswer>;

  /** Asks for the directories and files that the client allows servers to work on. Deprecated by the protocol. */
  abstract roots(key: string): Promise<readonly Root[]>;

  /**
   * Asks several questions in one round: `ctx.ask({ name: elicit({ ... }), places: roots() })`.
   */
  abstract ask<Q extends Readonly<Record<string, Question<unknown>>>>(
    questions: Q,
  ): Promise<{ readonly [K in keyof Q]: AnswerOf<Q[K]> }>;

  /**
   * Computes a value once for all rounds of a call, and returns the same value on every run. The client stores it, sealed,
   * between rounds, so it must be JSON, and small.
   *
   * @param key Name of the value within the call; independent of the keys of questions.
   */
  abstract once<T>(key: string, compute: () => T | Promise<T>): Promise<T>;
}

/** Index of the call in the arguments of an execution context of type `'mcp'`, after request and response. */
export const CALL_INDEX = 2;

/** The part of a running call that parameter decorators read. */
export interface CallArguments {
  readonly context: McpContext;
}

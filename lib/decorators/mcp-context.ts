import type { ClientCapability } from '../questions/client-capabilities.js';
import type { ElicitParams, FormContent } from '../questions/elicit.question.js';
import type { AnswerOf, Question } from '../questions/question.js';
import type { ElicitAnswer, ElicitUrlParams, UrlAnswer, Root, SampleAnswer, SampleParams } from '../model/questions.js';
import type { LogLevel } from '../model/event.js';
import type { ClientPeer } from '../model/peer.js';
import type { McpTrace } from './trace.reader.js';
import type { SchemaSource } from '../schema/schema-source.js';

/**
 * The client of a call: what it says about itself, and what it can be asked.
 *
 * @publicApi
 */
export interface McpCallClient extends ClientPeer {
  /** Whether the client declared on this request that it can be asked so. */
  can(capability: ClientCapability): boolean;
}

/**
 * The running call, as its handler sees it. Ask for it by parameter type or with `@Ctx()`.
 *
 * Questions end the run: the client repeats the request with its answer, and the handler runs again from the top, with the
 * answers so far and the values of `once()` restored. So whatever must not happen twice belongs after the last question,
 * or into `once()`.
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
  abstract readonly client: McpCallClient;
  /** What a trusted guard or middleware left on the request about the caller. */
  abstract readonly auth: unknown;
  /** The HTTP request that the endpoint's guards saw; `undefined` off HTTP. */
  abstract readonly request: unknown;
  /** The request's `_meta`, as the client sent it. */
  abstract readonly meta: Readonly<Record<string, unknown>>;
  /** The trace that the request belongs to; empty where it names none, or none that can be read. */
  abstract readonly trace: McpTrace;
  /** The answers that the client has sent so far, by key, as it sent them: unchecked, and nothing where there are none. */
  abstract readonly inputResponses: Readonly<Record<string, unknown>>;
  /** What `inputRequired({ state })` kept in the round before; `undefined` in the first round. */
  abstract readonly requestState: unknown;

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

  /**
   * Asks the user to fill in a form. A client that cannot show forms gets the error -32021; ask `client.can()` first where
   * there is another way.
   *
   * @param key names the question within the call, the same on every run.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   */
  abstract elicit<S extends SchemaSource>(key: string, params: ElicitParams<S>): Promise<ElicitAnswer<FormContent<S>>>;

  /** Asks the user to open a page. `accept` is consent alone: find out yourself what happened there. */
  abstract elicitUrl(key: string, params: ElicitUrlParams): Promise<UrlAnswer>;

  /** Asks the client's model. Deprecated by the protocol: new servers call a model of their own. */
  abstract sample(key: string, params: SampleParams): Promise<SampleAnswer>;

  /** Asks for the directories and files that the client lets servers work on. Deprecated by the protocol. */
  abstract roots(key: string): Promise<readonly Root[]>;

  /**
   * Asks several questions in one round: `ctx.ask({ name: elicit({ ... }), places: roots() })`.
   */
  abstract ask<Q extends Readonly<Record<string, Question<unknown>>>>(
    questions: Q,
  ): Promise<{ readonly [K in keyof Q]: AnswerOf<Q[K]> }>;

  /**
   * Computes a value once for all rounds of a call, and gives the same one on every run. It travels with the client, sealed,
   * so it has to be JSON, and small.
   *
   * @param key names the value within the call, apart from the keys of questions.
   */
  abstract once<T>(key: string, compute: () => T | Promise<T>): Promise<T>;
}

/** Place of the call among the arguments of an execution context of type `'mcp'`, behind request and response. */
export const CALL_INDEX = 2;

/** The part of a running call that parameter decorators read. */
export interface CallArguments {
  readonly context: McpContext;
}

import { LogItem, ProgressItem, type CallEvent, type LogLevel } from '../../model/event.js';
import { McpContext, type McpCallClient } from '../../decorators/mcp-context.js';
import { hasCapability, type ClientCapability } from '../../questions/client-capabilities.js';
import { elicit, type ElicitParams, type FormContent, elicitUrl } from '../../questions/elicit.question.js';
import type { AnswerOf, Question } from '../../questions/question.js';
import { roots } from '../../questions/roots.question.js';
import { sample } from '../../questions/sample.question.js';
import { readTrace, type McpTrace } from '../../decorators/trace.reader.js';
import type { OperationRequest } from '../../model/operation.js';
import type {
  ElicitAnswer,
  ElicitUrlParams,
  UrlAnswer,
  Root,
  SampleAnswer,
  SampleParams,
} from '../../model/questions.js';
import type { ClientPeer } from '../../model/peer.js';
import type { SchemaSource } from '../../schema/schema-source.js';
import type { CallRounds } from '../rounds/call.rounds.js';
import { handled } from './pending-runs.js';

/** The part of a running call that its context shows. */
export interface ObservedCall {
  readonly signal: AbortSignal;
  readonly request: OperationRequest;
  emit(event: CallEvent): Promise<void>;
  readonly rounds: CallRounds;
}

const NO_ANSWERS: Readonly<Record<string, unknown>> = Object.freeze({});

/** What a client declared about itself, and whether it supports a question. */
class CallClient implements McpCallClient {
  readonly info: ClientPeer['info'];
  readonly capabilities: ClientPeer['capabilities'];
  readonly protocolVersion: string;
  readonly logLevel: ClientPeer['logLevel'];

  constructor({ info, capabilities, protocolVersion, logLevel }: ClientPeer) {
    this.info = info;
    this.capabilities = capabilities;
    this.protocolVersion = protocolVersion;
    this.logLevel = logLevel;
  }

  can(capability: ClientCapability): boolean {
    return hasCapability(this.capabilities, capability);
  }
}

/** The context of a call that its handler can inject. */
export class CallContext extends McpContext {
  readonly #call: ObservedCall;
  #client: CallClient | undefined;
  #trace: McpTrace | undefined;

  constructor(call: ObservedCall) {
    super();
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get requestId(): string | number | bigint {
    return this.#call.request.id;
  }

  get protocolVersion(): string {
    return this.#call.request.client.protocolVersion;
  }

  get client(): McpCallClient {
    this.#client ??= new CallClient(this.#call.request.client);
    return this.#client;
  }

  get auth(): unknown {
    return this.#call.request.caller.auth();
  }

  get request(): unknown {
    const { caller } = this.#call.request;
    return caller.isStandIn === true ? caller.actual : caller.request;
  }

  get meta(): Readonly<Record<string, unknown>> {
    return this.#call.request.meta;
  }

  get inputResponses(): Readonly<Record<string, unknown>> {
    return this.#call.request.retry === undefined ? NO_ANSWERS : Object.fromEntries(this.#call.rounds.answers);
  }

  get requestState(): unknown {
    return this.#call.request.retry === undefined ? undefined : this.#call.rounds.state;
  }

  get trace(): McpTrace {
    this.#trace ??= readTrace(this.#call.request.meta);
    return this.#trace;
  }

  progress(done: number, total?: number, message?: string): Promise<void> {
    return this.#call.emit(new ProgressItem(done, total, message));
  }

  log(level: LogLevel, data: unknown, logger?: string): Promise<void> {
    return this.#call.emit(new LogItem(level, data, logger));
  }

  elicit<S extends SchemaSource>(key: string, params: ElicitParams<S>): Promise<ElicitAnswer<FormContent<S>>> {
    return this.#askOne(key, () => elicit(params));
  }

  elicitUrl(key: string, params: ElicitUrlParams): Promise<UrlAnswer> {
    return this.#askOne(key, () => elicitUrl(params));
  }

  sample(key: string, params: SampleParams): Promise<SampleAnswer> {
    return this.#askOne(key, () => sample(params));
  }

  roots(key: string): Promise<readonly Root[]> {
    return this.#askOne(key, roots);
  }

  ask<Q extends Readonly<Record<string, Question<unknown>>>>(
    questions: Q,
  ): Promise<{ readonly [K in keyof Q]: AnswerOf<Q[K]> }> {
    return handled(this.#ask(questions) as Promise<{ readonly [K in keyof Q]: AnswerOf<Q[K]> }>);
  }

  once<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    return handled(this.#once(key, compute));
  }

  async #once<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    return this.#call.rounds.once(key, compute);
  }

  async #ask(questions: Readonly<Record<string, Question<unknown>>>): Promise<unknown> {
    return this.#call.rounds.ask(questions);
  }

  #askOne<A>(key: string, make: () => Question<A>): Promise<A> {
    return handled(this.#answerTo(key, make));
  }

  async #answerTo<A>(key: string, make: () => Question<A>): Promise<A> {
    const answers = await this.#call.rounds.ask({ [key]: make() });
    return answers[key] as A;
  }
}

import { McpError } from '../../errors/mcp.error.js';
import { missingCapabilities } from '../../questions/client-capabilities.js';
import type { FormCompiler } from '../../questions/form.compiler.js';
import type { InputRequired } from '../../questions/input-required.js';
import { Question } from '../../questions/question.js';
import type { WireQuestion } from '../../model/questions.js';
import { MAX_ANSWERS, type OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import type { FaultMapper } from '../fault.mapper.js';
import { faulty } from '../operation-handler.js';
import { OnceValues } from './once.values.js';
import type { StateKeeper } from './state.keeper.js';

/** What all calls of a server share. */
export interface RoundParts {
  readonly keeper: StateKeeper;
  readonly forms: FormCompiler;
  readonly faults: FaultMapper;
}

/** The part of a call that asks. */
export interface AskingCall {
  readonly request: OperationRequest;
  readonly owner: string;
  /** Ends the run with this outcome. @throws always. */
  interrupt(outcome: Outcome): never;
}

interface Asked {
  readonly question: Question<unknown>;
  readonly wire: WireQuestion;
}

const MAX_KEY_LENGTH = 128;

/** Uniform, so that nobody learns what is wrong with a state. */
const STATE_REFUSED = faulty({ kind: 'invalid-params', message: 'requestState cannot be used for this request' });

/** What one call asked its client: in the rounds before, whose answers it has, and in this one. */
export class CallRounds {
  /** By key, as they came. */
  readonly answers = new Map<string, unknown>();
  /** What the author kept. */
  state: unknown;
  private readonly values = new OnceValues();
  private readonly asked = new Map<string, Asked>();
  /** Keys in the order in which they were asked for; what is compiled first may come first otherwise. */
  private readonly order = new Set<string>();
  private restoring: Promise<void> | undefined;
  /** Settles when all that has been asked so far is answered or noted. */
  private finding: Promise<void> | undefined;

  constructor(
    private readonly call: AskingCall,
    private readonly parts: RoundParts,
  ) {}

  /** Brings back what the rounds before left; the handler runs only after that. */
  restore(): Promise<void> {
    this.restoring ??= this.takeBack();
    return this.restoring;
  }

  ask(questions: Readonly<Record<string, Question<unknown>>>): Promise<Readonly<Record<string, unknown>>> {
    const finding = this.findAll(questions);
    // The answers themselves are not kept.
    this.finding = Promise.allSettled([this.finding, finding]).then(() => undefined);
    return finding.then((answers) => answers ?? this.wait());
  }

  async once<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    requireKey(key);
    await this.restore();
    return this.values.get(key, compute);
  }

  /** Ends the round by the author's own hand, whatever was answered before. */
  async require({ questions, state }: InputRequired): Promise<never> {
    await this.restore();
    for (const [key, question] of Object.entries(questions)) {
      this.order.add(key);
      await this.note(key, question);
    }
    this.state = state;
    return this.call.interrupt(this.conclude());
  }

  /** What a handler that went on without an answer has to end with all the same; questions may still be in the making. */
  leftover(): Promise<Outcome | undefined> | undefined {
    return this.finding?.then(() => (this.asked.size === 0 ? undefined : this.conclude()));
  }

  private async takeBack(): Promise<void> {
    const { retry } = this.call.request;
    if (retry === undefined) return;
    const given = retry.answers;
    if (retry.state === undefined) {
      for (const [key, answer] of Object.entries(given)) this.answers.set(key, answer);
      return;
    }
    const memory = await this.parts.keeper.open(retry.state, this.call.request);
    if (memory === undefined) return this.call.interrupt(STATE_REFUSED);
    for (const [key, answer] of memory.answers) this.answers.set(key, answer);
    for (const key of memory.asked) {
      if (Object.hasOwn(given, key) && !this.answers.has(key)) this.answers.set(key, given[key]);
    }
    this.values.restore(memory.values);
    this.state = memory.state;
  }

  /** The answers by key; `undefined` when one of them has to be asked. */
  private async findAll(
    questions: Readonly<Record<string, Question<unknown>>>,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    await this.restore();
    const found: [string, unknown][] = [];
    let isComplete = true;
    for (const [key, question] of Object.entries(questions)) {
      const answer = await this.find(key, question);
      if (answer === undefined) isComplete = false;
      else found.push([key, answer.value]);
    }
    return isComplete ? Object.fromEntries(found) : undefined;
  }

  /** The answer to a question; `undefined` when it has to be asked. */
  private async find(key: string, question: Question<unknown>): Promise<{ readonly value: unknown } | undefined> {
    this.order.add(key);
    if (!this.answers.has(key)) {
      await this.note(key, question);
      return undefined;
    }
    requireQuestion(key, question);
    const prepared = await question.prepare(this.parts.forms);
    const reading = await prepared.read(this.answers.get(key));
    if (reading.ok) return { value: reading.answer };
    if (reading.kind === 'malformed') {
      return this.call.interrupt(faulty({ kind: 'invalid-params', message: reading.message }));
    }
    // Well formed, but the author's schema knows better: the user is asked again.
    this.answers.delete(key);
    await this.note(key, question);
    return undefined;
  }

  private async note(key: string, question: Question<unknown>): Promise<void> {
    requireQuestion(key, question);
    const { wire } = await question.prepare(this.parts.forms);
    const other = this.asked.get(key)?.wire;
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(wire)) {
      throw new McpError('MCP_QUESTION_KEY', `Two different questions have the key "${key}". Give each its own.`);
    }
    this.asked.set(key, { question, wire });
  }

  /** Questions that are asked at the same time go out in the same round. */
  private async wait(): Promise<never> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.call.interrupt(this.conclude());
  }

  private conclude(): Outcome {
    const { request, owner } = this.call;
    const asked = [...this.order].flatMap((key) => {
      const found = this.asked.get(key);
      return found === undefined ? [] : [{ key, ...found }];
    });
    const questions = asked.map(({ question }) => question);
    const verdict = missingCapabilities(questions, request.client.capabilities);
    if (verdict.kind === 'missing') return faulty({ kind: 'missing-capability', required: verdict.required });
    if (verdict.kind === 'malformed') {
      const message = `The client capability "${verdict.capability}" is not declared as the protocol has it`;
      return faulty({ kind: 'invalid-params', message });
    }
    try {
      requireFew(asked.length);
      const { answers, state } = this;
      const memory = { answers, state, values: this.values.known, asked: asked.map(({ key }) => key) };
      const requestState = this.parts.keeper.seal(memory, request);
      if (asked.length === 0) return { kind: 'input-required', requestState };
      const inputRequests = Object.fromEntries(asked.map(({ key, wire }) => [key, wire]));
      return { kind: 'input-required', inputRequests, requestState };
    } catch (error) {
      return faulty(this.parts.faults.hide(error, `A question of ${owner}`));
    }
  }
}

function requireQuestion(key: string, question: unknown): asserts question is Question<unknown> {
  requireKey(key);
  if (question instanceof Question) return;
  throw new McpError(
    'MCP_NO_QUESTION',
    `What "${key}" asks is no question. Make it with elicit(), elicitUrl(), sample() or roots().`,
  );
}

function requireKey(key: unknown): void {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_LENGTH) return;
  throw new McpError('MCP_QUESTION_KEY', `A key must be a text of 1 to ${MAX_KEY_LENGTH} characters.`);
}

/** More answers than that are refused. */
function requireFew(asked: number): void {
  if (asked <= MAX_ANSWERS) return;
  const cure = 'Ask some of them in a later round, or more with one form.';
  throw new McpError('MCP_TOO_MANY_QUESTIONS', `${asked} questions at a time are more than ${MAX_ANSWERS}. ${cure}`);
}

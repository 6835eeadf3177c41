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

/** Services that all calls of a server share. */
export interface RoundParts {
  readonly keeper: StateKeeper;
  readonly forms: FormCompiler;
  readonly faults: FaultMapper;
}

/** The part of a call that its questions need. */
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

/** The same for all faults, so that clients cannot learn why a state was refused. */
const STATE_REFUSED = faulty({ kind: 'invalid-params', message: 'requestState cannot be used for this request' });

/** The questions of one call, with the answers of earlier rounds. */
export class CallRounds {
  /** Answers by key, as received. */
  readonly answers = new Map<string, unknown>();
  /** State that the author passed to `inputRequired()`. */
  state: unknown;
  private readonly values = new OnceValues();
  private readonly asked = new Map<string, Asked>();
  /** Keys in the order of the questions, which may be compiled in another order. */
  private readonly order = new Set<string>();
  private restoring: Promise<void> | undefined;
  /** Settles when all questions so far are answered or recorded as open. */
  private finding: Promise<void> | undefined;

  constructor(
    private readonly call: AskingCall,
    private readonly parts: RoundParts,
  ) {}

  /** Restores the state of earlier rounds; the handler runs only after that. */
  restore(): Promise<void> {
    this.restoring ??= this.takeBack();
    return this.restoring;
  }

  ask(questions: Readonly<Record<string, Question<unknown>>>): Promise<Readonly<Record<string, unknown>>> {
    const finding = this.findAll(questions);
    // Without the result, so that the answers are not kept in memory.
    this.finding = Promise.allSettled([this.finding, finding]).then(() => undefined);
    return finding.then((answers) => answers ?? this.wait());
  }

  async once<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    requireKey(key);
    await this.restore();
    return this.values.get(key, compute);
  }

  /** Ends the round as the author returned `inputRequired()`, regardless of earlier answers. */
  async require({ questions, state }: InputRequired): Promise<never> {
    await this.restore();
    for (const [key, question] of Object.entries(questions)) {
      this.order.add(key);
      await this.note(key, question);
    }
    this.state = state;
    return this.call.interrupt(this.conclude());
  }

  /** The outcome of a handler that returned although a question is open; waits for questions that are still being compiled. */
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

  /** Finds the answers by key; `undefined` when one is missing and its question has to be sent. */
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

  /** Finds the answer to a question; `undefined` when the question has to be sent. */
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
    // The answer is well formed, but the author's schema refuses it: the user is asked again.
    this.answers.delete(key);
    await this.note(key, question);
    return undefined;
  }

  private async note(key: string, question: Question<unknown>): Promise<void> {
    requireQuestion(key, question);
    const { wire } = await question.prepare(this.parts.forms);
    const other = this.asked.get(key)?.wire;
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(wire)) {
      throw new McpError(
        'MCP_QUESTION_KEY',
        `Two different questions have the key "${key}". Give each question its own key.`,
      );
    }
    this.asked.set(key, { question, wire });
  }

  /** Waits for all concurrent questions, so that they are sent in the same round. */
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
      const message = `The client capability "${verdict.capability}" is not declared in the form that the protocol defines`;
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
    `The value of "${key}" is not a question. Create it with elicit(), elicitUrl(), sample() or roots().`,
  );
}

function requireKey(key: unknown): void {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_LENGTH) return;
  throw new McpError('MCP_QUESTION_KEY', `A key must be a string of 1 to ${MAX_KEY_LENGTH} characters.`);
}

/** @throws when a call asks more questions than the number of answers that the server accepts. */
function requireFew(asked: number): void {
  if (asked <= MAX_ANSWERS) return;
  const cure = 'Ask some of them in a later round, or combine several in one form.';
  throw new McpError(
    'MCP_TOO_MANY_QUESTIONS',
    `${asked} questions at a time exceed the limit of ${MAX_ANSWERS}. ${cure}`,
  );
}

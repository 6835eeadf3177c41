import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { PolicyGate, type PolicySource, type PolicyVerdict } from '../../../../lib/dispatch/access/access.rules.js';
import { McpPolicy, type PolicyQuestion } from '../../../../lib/dispatch/access/mcp-policy.js';
import { Gate } from '../../../support/gate.js';

const TIMEOUT_MS = 5_000;

const question = (name: string): PolicyQuestion => ({
  phase: 'discovery',
  component: { kind: 'tool', name },
  auth: undefined,
  request: undefined,
});

const ONE = [question('a')];
const THREE = [question('a'), question('b'), question('c')];

/** A policy whose answers to one question and to all questions come from the test. */
class TestPolicy extends McpPolicy {
  constructor(
    private readonly one: (question: PolicyQuestion) => unknown,
    private readonly all?: (questions: readonly PolicyQuestion[]) => unknown,
  ) {
    super();
  }

  decide(asked: PolicyQuestion): never {
    return this.one(asked) as never;
  }

  override decideAll(questions: readonly PolicyQuestion[]): never {
    return (this.all === undefined ? super.decideAll(questions) : this.all(questions)) as never;
  }
}

const gateTo = (of: PolicySource['of'], publicResults: readonly string[] = []): PolicyGate =>
  new PolicyGate({ resolve: () => Promise.resolve(true), of }, { policyTimeoutMs: TIMEOUT_MS, publicResults });

const ask = (
  one: (question: PolicyQuestion) => unknown,
  questions: readonly PolicyQuestion[] = ONE,
  all?: (questions: readonly PolicyQuestion[]) => unknown,
): Promise<readonly PolicyVerdict[]> => gateTo(() => new TestPolicy(one, all)).ask(questions, undefined);

const REFUSED = { message: 'Refused by the policy of this server' };

describe('a policy gate', () => {
  it('accepts true, false and a refusal with a message, with and without data', async () => {
    const answers = [true, false, { refused: 'for chiefs' }];
    const one = ({ component }: PolicyQuestion): unknown => answers['abc'.indexOf(component.name)];
    expect(await ask(one, THREE)).toEqual([undefined, REFUSED, { message: 'for chiefs' }]);
    expect(await ask(async (asked) => Promise.resolve(one(asked)), THREE)).toHaveLength(THREE.length);
    expect(await ask(() => ({ refused: 'no', data: { a: 1 } }))).toEqual([{ message: 'no', data: { a: 1 } }]);
  });

  it('calls decide for one question and decideAll for several, and calls neither without questions', async () => {
    const calls: string[] = [];
    const one = (): boolean => calls.push('one') > 0;
    const all = (questions: readonly PolicyQuestion[]): boolean[] => questions.map(() => calls.push('all') > 0);
    await ask(one, ONE, all);
    await ask(one, THREE, all);
    const gate = gateTo(() => {
      throw new Error('not asked');
    });
    expect(await gate.ask([], undefined)).toEqual([]);
    expect(calls).toEqual(['one', 'all', 'all', 'all']);
  });

  it.each([undefined, null, 1, 'yes', {}, [], { refused: true }, { refused: undefined }, { data: 1 }, () => true])(
    'refuses any other answer: %p',
    async (answer) => {
      await expect(ask(() => answer)).rejects.toMatchObject({ code: 'MCP_POLICY_ANSWER' });
      await expect(ask(() => answer, THREE)).rejects.toMatchObject({ code: 'MCP_POLICY_ANSWER' });
    },
  );

  it.each([
    ['too few answers', [true, true]],
    ['too many answers', [true, true, true, true]],
    ['an empty list', []],
    ['a list of holes', new Array(THREE.length)],
    ['a list with a hole', Object.assign([true], { 2: true })],
    ['an object like a list', { 0: true, 1: true, 2: true, length: 3 }],
    ['one answer for all questions', true],
    ['undefined', undefined],
  ])('refuses any other number of answers: %s', async (_name, answers) => {
    const rejection = { code: 'MCP_POLICY_ANSWER' };
    await expect(
      ask(
        () => true,
        THREE,
        () => answers,
      ),
    ).rejects.toMatchObject(rejection);
    await expect(
      ask(
        () => true,
        THREE,
        async () => Promise.resolve(answers),
      ),
    ).rejects.toMatchObject(rejection);
  });

  it.each([ONE, THREE])('rejects with the error that the policy throws, at once or later', async (...questions) => {
    const broken = new Error('broken');
    const throwing = (): never => {
      throw broken;
    };
    await expect(ask(throwing, questions, throwing)).rejects.toBe(broken);
    await expect(ask(async () => Promise.reject(broken), questions)).rejects.toBe(broken);
    await expect(gateTo(throwing).ask(questions, undefined)).rejects.toBe(broken);
    await expect(gateTo(async () => Promise.reject(broken)).ask(questions, undefined)).rejects.toBe(broken);
  });

  it('asks the policy of each request when each request has its own policy', async () => {
    const gate = gateTo(async (request) => Promise.resolve(new TestPolicy(() => request === 'chief')));
    expect(await gate.ask(ONE, 'chief')).toEqual([undefined]);
    expect(await gate.ask(ONE, 'guest')).toEqual([REFUSED]);
  });

  it('is present when its source finds a policy', async () => {
    const found = gateTo(() => new TestPolicy(() => true));
    expect(found.isPresent).toBe(false);
    await found.onModuleInit();
    expect(found.isPresent).toBe(true);
    const nobody = { resolve: () => Promise.resolve(false), of: () => new TestPolicy(() => true) };
    const absent = new PolicyGate(nobody, { policyTimeoutMs: TIMEOUT_MS, publicResults: ['tools'] });
    await absent.onModuleInit();
    expect(absent.isPresent).toBe(false);
  });

  it('refuses to start when a shared cache would make its decisions ineffective', async () => {
    const gate = gateTo(() => new TestPolicy(() => true), ['prompts']);
    await expect(gate.onModuleInit()).rejects.toMatchObject({
      message: expect.stringContaining('cache.prompts.scope'),
    });
  });
});

describe('the timeout of a policy gate', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Returns the result or the error code of an answer, after its promises have run. */
  async function endOf(answer: Promise<unknown>): Promise<unknown> {
    let end: unknown = 'pending';
    answer.then(
      (value) => (end = value),
      (error: unknown) => (end = (error as { code?: string }).code),
    );
    await jest.advanceTimersByTimeAsync(0);
    return end;
  }

  it('ends the wait when the time is over', async () => {
    const answer = ask(() => new Gate<boolean>().opened);
    answer.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(await endOf(answer)).toBe('pending');
    await jest.advanceTimersByTimeAsync(1);
    expect(await endOf(answer)).toBe('MCP_POLICY_TIMEOUT');
  });

  it('includes the time to create the policy', async () => {
    const answer = gateTo(() => new Gate<McpPolicy>().opened).ask(ONE, undefined);
    answer.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await endOf(answer)).toBe('MCP_POLICY_TIMEOUT');
  });

  it.each([
    ['an answer', (gate: Gate<boolean>) => gate.open(true)],
    ['an error', (gate: Gate<boolean>) => gate.open(Promise.reject(new Error('late')) as never)],
  ])('is not changed by a late result: %s', async (_name, settle) => {
    const gate = new Gate<boolean>();
    const answer = ask(() => gate.opened);
    answer.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    settle(gate);
    expect(await endOf(answer)).toBe('MCP_POLICY_TIMEOUT');
  });

  it.each([
    ['an answer', () => true],
    ['an error', () => Promise.reject(new Error('broken'))],
  ])('leaves no timer behind after %s', async (_name, one) => {
    await endOf(ask(one));
    expect(jest.getTimerCount()).toBe(0);
  });
});

import { inspect } from 'node:util';

import { McpRequestError } from '../errors/client.errors.js';

/** The part of a matcher's `this` that Jest and Vitest share. */
export interface MatcherContext {
  readonly isNot?: boolean;
  equals(received: unknown, expected: unknown): boolean;
}

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The value, or the error, of what a test passed to `expect`. */
export type Received =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly error: unknown };

const MAX_DEPTH = 8;

export const show = (value: unknown): string => inspect(value, { depth: MAX_DEPTH, breakLength: 100 });

/** Checks a value at once; checks a promise, or the promise of a function, when it has settled. */
export function whenReceived(
  subject: unknown,
  judge: (received: Received) => MatcherResult,
): MatcherResult | Promise<MatcherResult> {
  const thing: unknown = typeof subject === 'function' ? callOf(subject as () => unknown) : subject;
  if (!isThenable(thing)) return judge({ kind: 'value', value: thing });
  return Promise.resolve(thing).then(
    (value) => judge({ kind: 'value', value }),
    (error: unknown) => judge({ kind: 'thrown', error }),
  );
}

/** An error that a function throws counts as the rejection of its promise. */
async function callOf(make: () => unknown): Promise<unknown> {
  return make();
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** What a failing test shows as the received value. */
export function describe(received: Received): string {
  if (received.kind === 'value') return `Received: ${show(received.value)}`;
  const { error } = received;
  if (!(error instanceof McpRequestError)) return `Thrown: ${show(error)}`;
  const data = error.data === undefined ? '' : `, data ${show(error.data)}`;
  return `Refused: code ${error.rpcCode}, "${error.message}"${data}`;
}

/** Returns whether a text equals a string or matches an expression; `undefined` accepts every text. */
export function fits(text: string, expected: string | RegExp | undefined): boolean {
  if (expected === undefined) return true;
  // A copy, since an expression with the flag "g" keeps its position.
  return typeof expected === 'string' ? text === expected : new RegExp(expected).test(text);
}

export function verdict(
  pass: boolean,
  context: MatcherContext,
  expectation: string,
  received: Received,
): MatcherResult {
  const negation = context.isNot === true ? 'not ' : '';
  return { pass, message: () => `Expected ${negation}${expectation}\n${describe(received)}` };
}

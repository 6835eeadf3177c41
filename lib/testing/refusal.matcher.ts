import { McpRequestError } from '../errors/client.errors.js';
import { fits, show, verdict, whenReceived, type MatcherContext, type MatcherResult } from './matcher.js';

/**
 * The expected properties of a refusal; properties that are left out are not checked.
 *
 * @publicApi
 */
export interface ExpectedRefusal {
  readonly code?: number;
  readonly message?: string | RegExp;
  readonly data?: unknown;
}

export function refusalMatcher(
  this: MatcherContext,
  subject: unknown,
  expected: number | ExpectedRefusal = {},
): MatcherResult | Promise<MatcherResult> {
  const { code, message, data }: ExpectedRefusal = typeof expected === 'number' ? { code: expected } : expected;
  const wanted = [
    code === undefined ? [] : [`code ${code}`],
    message === undefined ? [] : [`the message ${show(message)}`],
    data === undefined ? [] : [`the data ${show(data)}`],
  ].flat();
  const expectation = `a refusal${wanted.length === 0 ? '' : ` with ${wanted.join(' and ')}`}`;
  return whenReceived(subject, (received) => {
    const error = received.kind === 'thrown' ? received.error : received.value;
    const isRight =
      error instanceof McpRequestError &&
      (code === undefined || error.rpcCode === code) &&
      fits(error.message, message) &&
      (data === undefined || this.equals(error.data, data));
    return verdict(isRight, this, expectation, received);
  });
}

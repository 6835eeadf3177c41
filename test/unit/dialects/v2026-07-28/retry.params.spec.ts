import { describe, expect, it } from '@jest/globals';

import { readRetry } from '../../../../lib/dialects/v2026-07-28/dialect.js';

const answers = (count: number, answer: unknown = {}): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, answer]));

describe('readRetry', () => {
  it.each<[string, Record<string, unknown> | undefined, object]>([
    ['empty params', {}, {}],
    ['missing params', undefined, {}],
    ['a state', { requestState: 's' }, { retry: { answers: {}, state: 's' } }],
    ['an empty state', { requestState: '' }, { retry: { answers: {}, state: '' } }],
    ['answers', { inputResponses: { k: { a: 1 } } }, { retry: { answers: { k: { a: 1 } } } }],
    ['answers and a state', { inputResponses: {}, requestState: 's' }, { retry: { answers: {}, state: 's' } }],
    ['the maximum number of answers', { inputResponses: answers(1_000) }, { retry: { answers: answers(1_000) } }],
  ])('reads %s', (_what, params, reading) => {
    expect(readRetry(params)).toEqual(reading);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a state that is not a string', { requestState: 5 }, 'requestState must be a string'],
    ['a state that is null', { requestState: null }, 'requestState must be a string'],
    ['answers that are null', { inputResponses: null }, 'inputResponses must be an object of objects'],
    ['a list of answers', { inputResponses: [] }, 'inputResponses must be an object of objects'],
    [
      'an answer that is not an object',
      { inputResponses: { a: {}, b: 1 } },
      'inputResponses must be an object of objects',
    ],
    ['an answer that is a list', { inputResponses: { a: [] } }, 'inputResponses must be an object of objects'],
    ['too many answers', { inputResponses: answers(1_001) }, 'inputResponses must have at most 1000 members'],
  ])('refuses %s', (_what, params, message) => {
    expect(readRetry(params)).toEqual({ fault: { kind: 'invalid-params', message } });
  });

  it('refuses too many answers before reading any answer', () => {
    let looks = 0;
    const inputResponses = answers(1_001);
    Object.defineProperty(inputResponses, 'key-0', {
      enumerable: true,
      get: () => {
        looks += 1;
        return {};
      },
    });
    expect(readRetry({ inputResponses, requestState: 's' })).toHaveProperty('fault');
    expect(looks).toBe(0);
  });
});

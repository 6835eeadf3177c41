import { expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { canonicalJson, hasUniqueItems } from '../../../lib/schema/json-value.js';

it('gives equal texts to equal values only', () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(value, value, (a, b) => {
      // -0 and 0 are one number in JSON.
      const [x, y] = [a, b].map((json) => JSON.parse(JSON.stringify(json)) as unknown);
      expect(canonicalJson(x) === canonicalJson(y)).toBe(isDeepStrictEqual(x, y));
    }),
    { seed: 2, numRuns: 500 },
  );
});

it.each<[unknown[], boolean]>([
  [[1, '1', true, 'true', null, [], {}, [[]]], true],
  [[0, -0], false],
  [
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    false,
  ],
  [
    [
      [1, 2],
      [2, 1],
    ],
    true,
  ],
  [[], true],
])('%j', (items, unique) => {
  expect(hasUniqueItems(items)).toBe(unique);
});

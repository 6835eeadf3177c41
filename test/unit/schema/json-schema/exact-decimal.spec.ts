import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isMultipleOf } from '../../../../lib/schema/json-schema/json-schema.keywords.js';

it.each([
  [19.99, 0.01, true],
  [0.3, 0.1, true],
  [0.35, 0.1, false],
  [1e21, 1, true],
  [1e-7, 1e-7, true],
  [1.5e-7, 1e-7, false],
  [-6, 3, true],
  [7, 3, false],
  [0, 0.5, true],
  [Number.NaN, 1, false],
  [1, 0, false],
])('%d of %d: %p', (value, divisor, expected) => {
  expect(isMultipleOf(value, divisor)).toBe(expected);
});

it('agrees with whole-number arithmetic after scaling', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 0, max: 4 }),
      (a, b, places) => {
        expect(isMultipleOf(Number(`${a}e-${places}`), Number(`${b}e-${places}`))).toBe(a % b === 0);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { toJsonValue } from '../../../lib/schema/json-value.js';

it('copies JSON as JSON.stringify and JSON.parse would', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(toJsonValue(value))).toBe(JSON.stringify(value));
    }),
    { seed: 3, numRuns: 200 },
  );
});

it('keeps a member named __proto__ a member', () => {
  const copy = toJsonValue(JSON.parse('{"__proto__":{"a":1}}'));
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

it('takes class instances and toJSON, and drops what has no JSON', () => {
  class Point {
    x = 1;
    gone = undefined;
    method = () => 1;
  }
  expect(toJsonValue({ point: new Point(), at: new Date(0), list: [undefined, Symbol('s')] })).toEqual({
    point: { x: 1 },
    at: '1970-01-01T00:00:00.000Z',
    list: [null, null],
  });
});

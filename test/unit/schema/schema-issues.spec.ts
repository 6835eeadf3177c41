import { expect, it } from '@jest/globals';
import { limitIssues, readPointer, redact, writePath } from '../../../lib/schema/schema-issues.js';

it.each([
  [[], ''],
  [['lines', 0, 'sku'], 'lines[0].sku'],
  [['odd key', 'x-y', '0'], '["odd key"]["x-y"]["0"]'],
  [['a.b'], '["a.b"]'],
])('writes %j as %s', (path, text) => {
  expect(writePath(path)).toBe(text);
});

it('reads digits as an index only in arrays', () => {
  expect(readPointer('/list/0/a~1b/1', { list: [{ 'a/b': { 1: 'x' } }] })).toEqual(['list', 0, 'a/b', '1']);
  expect(readPointer('', {})).toEqual([]);
});

it('keeps each issue once, and ten at most', () => {
  const issue = { path: 'a', message: 'b' };
  expect(limitIssues([issue, { ...issue }])).toEqual([issue]);
  expect(limitIssues(Array.from({ length: 30 }, (_, index) => ({ path: `${index}`, message: '' })))).toHaveLength(10);
});

it.each<[string, unknown, string]>([
  ['got hunter2!', 'hunter2', 'got the value!'],
  [String.raw`got "a\"bc"`, 'a"bc', 'got "the value"'],
  ['got 123456', 123_456, 'got the value'],
  ['must be a string', { a: 1 }, 'must be a string'],
  ['must be one of a, b', 'a', 'must be one of a, b'],
])('redacts %s', (message, value, expected) => {
  expect(redact(message, value)).toBe(expected);
});

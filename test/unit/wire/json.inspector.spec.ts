import { describe, expect, it } from '@jest/globals';
import { inspectJson } from '../../../lib/wire/json.inspector.js';

describe('inspectJson', () => {
  it.each<[string, object]>([
    ['{"a":[1,2.5,-3e2,"9"]}', { bigIntegers: [] }],
    ['9007199254740991', { bigIntegers: [] }],
    ['9007199254740992', { bigIntegers: [[0, 16]] }],
    ['"9007199254740992"', { bigIntegers: [] }],
    ['{"9007199254740992":"\\"9007199254740992"}', { bigIntegers: [] }],
    ['9007199254740992.0', { bigIntegers: [] }],
    ['[9007199254740992\n]', { bigIntegers: [[1, 17]] }],
    ['{"a":-9007199254740992}', { bigIntegers: [[5, 22]] }],
    ['[1e999]', { fault: 'overflow', bigIntegers: [] }],
    [`[${'1'.repeat(65)}]`, { fault: 'digits', bigIntegers: [] }],
    [`${'['.repeat(129)}${']'.repeat(129)}`, { fault: 'depth', bigIntegers: [] }],
    [`[${'[]'.repeat(1)}${',[]'.repeat(300)}]`, { bigIntegers: [] }],
    ['"never closed 9007199254740992', { bigIntegers: [] }],
    ['"never closed \\\\\\"', { bigIntegers: [] }],
    [']]]]\\"9007199254740992', { bigIntegers: [] }],
    ['9007199254740992"', { bigIntegers: [] }],
  ])('%s', (text, inspection) => {
    expect(inspectJson(text)).toEqual(inspection);
  });
});

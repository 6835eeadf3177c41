import { describe, expect, it } from '@jest/globals';
import { inspectJson } from '../../../lib/wire/json.inspector.js';

describe('inspectJson', () => {
  it.each<[string, object]>([
    ['{"a":[1,2.5,-3e2,"9"]}', { hasBigInteger: false }],
    ['9007199254740991', { hasBigInteger: false }],
    ['9007199254740992', { hasBigInteger: true }],
    ['"9007199254740992"', { hasBigInteger: false }],
    ['{"9007199254740992":"\\"9007199254740992"}', { hasBigInteger: false }],
    ['9007199254740992.0', { hasBigInteger: false }],
    ['[9007199254740992\n]', { hasBigInteger: true }],
    ['{"a":-9007199254740992}', { hasBigInteger: true }],
    ['[1e999]', { fault: 'overflow', hasBigInteger: false }],
    [`[${'1'.repeat(65)}]`, { fault: 'digits', hasBigInteger: false }],
    [`${'['.repeat(129)}${']'.repeat(129)}`, { fault: 'depth', hasBigInteger: false }],
    [`[${'[]'.repeat(1)}${',[]'.repeat(300)}]`, { hasBigInteger: false }],
    ['"never closed 9007199254740992', { hasBigInteger: false }],
    ['"never closed \\\\\\"', { hasBigInteger: false }],
    [']]]]\\"9007199254740992', { hasBigInteger: false }],
    ['9007199254740992"', { hasBigInteger: false }],
  ])('%s', (text, inspection) => {
    expect(inspectJson(text)).toEqual(inspection);
  });
});

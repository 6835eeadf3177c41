import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { encodeLine } from '../../../../lib/transports/stdio/line.queue.js';

describe('encodeLine', () => {
  it('does not change ASCII', () => {
    expect(encodeLine('{"a":"\\n~\u007f"}')).toBe('{"a":"\\n~\u007f"}');
  });

  it.each([
    ['é', '\\u00e9'],
    ['日本', '\\u65e5\\u672c'],
    ['😀', '\\ud83d\\ude00'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\u0080', '\\u0080'],
    ['\uffff', '\\uffff'],
  ])('escapes %j', (text, escaped) => {
    expect(encodeLine(`"a${text}b"`)).toBe(`"a${escaped}b"`);
  });

  it('writes text with line breaks on one line', () => {
    expect(encodeLine('{\r\n  "a": 1\n}')).toBe('{    "a": 1 }');
  });

  it('encodes any value as one line of ASCII', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(2), (value, indent) => {
        const line = encodeLine(JSON.stringify(value, undefined, indent));
        expect(line).toMatch(/^[\x20-\x7f]*$/);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

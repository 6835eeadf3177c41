import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeHeaderValue, encodeHeaderValue } from '../../../lib/wire/headers.js';

const marked = (payload: string): string => `=?base64?${payload}?=`;

describe('decodeHeaderValue', () => {
  it.each<[string, string]>([
    ['plain', 'plain'],
    ['', ''],
    [' \t padded \t', 'padded'],
    ['two  words', 'two  words'],
    [marked('ZGVtbzovL2NhZsOp'), 'demo://café'],
    [` ${marked('aGk=')}\t`, 'hi'],
    [marked('IGhpIA=='), ' hi '],
    [marked(''), ''],
    ['=?BASE64?aGk=?=', '=?BASE64?aGk=?='],
    ['=?Base64?aGk=?=', '=?Base64?aGk=?='],
    ['=?base64?aGk=', '=?base64?aGk='],
    ['base64?aGk=?=', 'base64?aGk=?='],
    ['x=?base64?aGk=?=', 'x=?base64?aGk=?='],
    ['=?base64?=', '=?base64?='],
    ['=?base64?', '=?base64?'],
    ['?=', '?='],
    ['\u00a0x\u00a0', '\u00a0x\u00a0'],
    [marked('77u/eA=='), '\ufeffx'],
  ])('reads %p as %p', (raw, value) => {
    expect(decodeHeaderValue(raw)).toEqual({ ok: true, value });
  });

  it.each([
    marked('!!!'),
    marked('SGVsbG8'),
    marked('SGVs!!!bG8='),
    marked('SGVsbG8=='),
    marked('SGVsbG8= '),
    marked(' SGVsbG8='),
    marked('SGVs bG8='),
    marked('='),
    marked('===='),
    marked('A'),
    marked('SGVsbG9='),
    marked('-_-_'),
    marked('aGk=aGk='),
    marked('/w=='),
    marked('7aCA'),
    marked('w4k=?=x?base64?aGk='),
  ])('refuses %p', (raw) => {
    expect(decodeHeaderValue(raw)).toEqual({ ok: false });
  });

  it('never throws', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=?base64?', '?=', '=', 'aGk='));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        expect(typeof decodeHeaderValue(pieces.join('')).ok).toBe('boolean');
      }),
    );
  });
});

describe('encodeHeaderValue', () => {
  it.each<[string | number | bigint | boolean, string]>([
    ['plain text', 'plain text'],
    ['', ''],
    [42, '42'],
    [-1, '-1'],
    [9223372036854775807n, '9223372036854775807'],
    [true, 'true'],
    [false, 'false'],
    ['!~', '!~'],
    ['demo://café', marked('ZGVtbzovL2NhZsOp')],
    [' hi ', marked('IGhpIA==')],
    [' ', marked('IA==')],
    ['a\tb', marked('YQli')],
    ['a\r\nb', marked('YQ0KYg==')],
    ['\u007f', marked('fw==')],
    [marked('aGk='), marked('PT9iYXNlNjQ/YUdrPT89')],
    ['=?base64?=', marked('PT9iYXNlNjQ/PQ==')],
    ['=?BASE64?x?=', '=?BASE64?x?='],
    ['=?base64?x', '=?base64?x'],
  ])('writes %p as %p', (value, encoded) => {
    expect(encodeHeaderValue(value)).toBe(encoded);
  });

  it('is decoded to the same string and is safe in a header, for any string', () => {
    const text = fc
      .oneof(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.string().map((inner) => marked(inner)),
      )
      .filter((value) => !/\p{Surrogate}/u.test(value));
    fc.assert(
      fc.property(text, (value) => {
        const encoded = encodeHeaderValue(value);
        expect(encoded).toMatch(/^[ -~]*$/);
        expect(decodeHeaderValue(encoded)).toEqual({ ok: true, value });
      }),
      { numRuns: 500 },
    );
  });
});

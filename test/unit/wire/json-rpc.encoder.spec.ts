import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeJson } from '../../../lib/wire/json.decoder.js';
import {
  decodeMessage,
  encodeResponse,
  encodeError,
  encodeId,
  encodeNotification,
  encodeResult,
  stringifyJson,
} from '../../../lib/wire/json-rpc.codec.js';
import type { RequestId } from '../../../lib/wire/json-rpc.js';

describe('the encoders', () => {
  it.each<[string | number | bigint, string]>([
    [0, '0'],
    [-7, '-7'],
    ['', '""'],
    ['1', '"1"'],
    ['a"b\n', '"a\\"b\\n"'],
    [9223372036854775807n, '9223372036854775807'],
    [-9223372036854775808n, '-9223372036854775808'],
  ])('write the id %p exactly', (id, text) => {
    expect(encodeId(id)).toBe(text);
    expect(encodeResult(id, '{"a":1}')).toBe(`{"jsonrpc":"2.0","id":${text},"result":{"a":1}}`);
  });

  it('give back every id that the decoder takes', () => {
    const id = fc.oneof(
      fc.integer(),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    );
    fc.assert(
      fc.property(id, (value) => {
        const decoding = decodeJson(`{"jsonrpc":"2.0","method":"m","id":${encodeId(value)}}`);
        const message = decoding.ok ? decodeMessage(decoding.value) : undefined;
        if (message?.kind !== 'request') throw new Error('not a request');
        expect(encodeId(message.id)).toBe(encodeId(value));
      }),
    );
  });

  it('write errors with and without id and data', () => {
    expect(encodeError(1, { code: -32601, message: 'no "x"' })).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no \\"x\\""}}',
    );
    expect(encodeError('', { code: 1, message: 'm', data: null })).toBe(
      '{"jsonrpc":"2.0","id":"","error":{"code":1,"message":"m","data":null}}',
    );
    expect(encodeError(undefined, { code: -32700, message: 'm', data: { n: 2n } })).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"m","data":{"n":2}}}',
    );
  });

  it('omit unknown members of an error', () => {
    const error = { code: 1, message: 'm', stack: 'secret' };
    expect(encodeError(1, error)).not.toContain('secret');
  });

  it('write notifications', () => {
    expect(encodeNotification('n/x', '{"a":1}')).toBe('{"jsonrpc":"2.0","method":"n/x","params":{"a":1}}');
    expect(encodeNotification('n/x')).toBe('{"jsonrpc":"2.0","method":"n/x"}');
  });
});

describe('stringifyJson', () => {
  it.each<[unknown, string]>([
    [{ a: [1, 'x', null] }, '{"a":[1,"x",null]}'],
    [{ a: 5n, b: [2n ** 53n] }, '{"a":5,"b":[9007199254740992]}'],
    [7n, '7'],
    [undefined, 'null'],
    [() => 1, 'null'],
    [{ a: undefined }, '{}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('writes %p', (value, text) => {
    expect(stringifyJson(value)).toBe(text);
  });

  it('throws on cycles', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => stringifyJson(cycle)).toThrow(/circular/i);
  });
});

describe('encodeResponse', () => {
  it.each<[RequestId, string]>([
    [1, '1'],
    ['a"b', '"a\\"b"'],
    [0, '0'],
    [2n ** 63n - 1n, '9223372036854775807'],
  ])('writes the id %s as encodeResult does', (id, written) => {
    expect(encodeResponse(id, { a: 1 })).toBe(`{"jsonrpc":"2.0","id":${written},"result":{"a":1}}`);
    expect(encodeResponse(id, { a: 1 })).toBe(encodeResult(id, '{"a":1}'));
  });
});

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeJson } from '../../../lib/wire/json.decoder.js';
import { decodeMessage, isBoundedId, type MessageDecoding } from '../../../lib/wire/json-rpc.codec.js';

function decode(text: string): MessageDecoding {
  const decoding = decodeJson(text);
  if (!decoding.ok) throw new Error(decoding.reason);
  return decodeMessage(decoding.value);
}

const call = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"m"}`;
const invalid = (code: number) => ({ kind: 'invalid', code, notification: false, message: expect.any(String) });

describe('requests', () => {
  it.each<[string, unknown]>([
    ['1', 1],
    ['0', 0],
    ['""', ''],
    ['-5', -5],
    ['1.0', 1],
    ['"a"', 'a'],
    [`"${'a'.repeat(256)}"`, 'a'.repeat(256)],
    [`"${'é'.repeat(128)}"`, 'é'.repeat(128)],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9007199254740991', 9007199254740991],
  ])('keep the id %s', (literal, id) => {
    expect(decode(call(literal))).toEqual({ kind: 'request', id, method: 'm', params: undefined });
  });

  it.each([
    'null',
    'true',
    '{}',
    '[]',
    '1.5',
    '1e20',
    `"${'a'.repeat(257)}"`,
    `"${'é'.repeat(130)}"`,
    '9223372036854775808',
    '-9223372036854775809',
    '99999999999999999999999999999999',
  ])('are refused without an id when it is %s', (literal) => {
    const decoding = decode(call(literal));
    expect(decoding).toEqual(invalid(-32600));
    expect(decoding).not.toHaveProperty('id');
  });

  it.each([`"${'a'.repeat(257)}"`, `"${'é'.repeat(130)}"`, '9223372036854775808', '1.5', '"x'.padEnd(300, 'y') + '"'])(
    'never repeat the id %s',
    (literal) => {
      expect(JSON.stringify(decode(call(literal)))).not.toContain(literal.replaceAll('"', ''));
    },
  );

  it('keep their params', () => {
    expect(decode('{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1]}}')).toEqual({
      kind: 'request',
      id: 1,
      method: 'm',
      params: { a: [1] },
    });
  });

  it.each(['[]', '[1]', 'null', '"x"', '5', 'false'])('answer params %s with -32602 and their id', (params) => {
    expect(decode(`{"jsonrpc":"2.0","id":"r","method":"m","params":${params}}`)).toEqual({
      ...invalid(-32602),
      id: 'r',
    });
    expect(decode(`{"jsonrpc":"2.0","id":null,"method":"m","params":${params}}`)).toEqual(invalid(-32600));
  });

  it.each([
    '{"jsonrpc":"1.0","id":7,"method":"m"}',
    '{"id":7,"method":"m"}',
    '{"jsonrpc":2.0,"id":7,"method":"m"}',
    '{"jsonrpc":"2.0","id":7,"method":5}',
    '{"jsonrpc":"2.0","id":7,"method":null}',
    '{"jsonrpc":"2.0","id":7}',
  ])('that are malformed, %s, are -32600 with the id that could be read', (text) => {
    expect(decode(text)).toEqual({ ...invalid(-32600), id: 7 });
  });

  it('take no member from a prototype', () => {
    expect(decode('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}')).toEqual(invalid(-32600));
  });
});

describe('notifications', () => {
  it('have no id', () => {
    expect(decode('{"jsonrpc":"2.0","method":"n","params":{"a":1}}')).toEqual({
      kind: 'notification',
      method: 'n',
      params: { a: 1 },
    });
  });

  it.each<[string, number]>([
    ['{"jsonrpc":"2.0","method":"n","params":[]}', -32602],
    ['{"jsonrpc":"2.0","method":"n","params":null}', -32602],
    ['{"method":"n"}', -32600],
    ['{"jsonrpc":"1.0","method":"n"}', -32600],
  ])('that are malformed, %s, are marked, so that nobody answers', (text, code) => {
    expect(decode(text)).toEqual({ ...invalid(code), notification: true });
  });

  it('are not what an id of null, a missing method or a wrong method makes', () => {
    expect(decode(call('null'))).toEqual(invalid(-32600));
    expect(decode('{"jsonrpc":"2.0"}')).toEqual(invalid(-32600));
    expect(decode('{"jsonrpc":"2.0","method":5}')).toEqual(invalid(-32600));
    expect(decode('{"method":5}')).toEqual(invalid(-32600));
  });
});

describe('other values', () => {
  it.each([
    '[]',
    '[{"jsonrpc":"2.0","id":1,"method":"m"}]',
    '[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","id":2,"method":"m"}]',
    '"hi"',
    '1',
    'null',
    'true',
    '{}',
    '12345678901234567890',
  ])('%s is one -32600 without id', (text) => {
    expect(decode(text)).toEqual(invalid(-32600));
  });

  it.each(['{"jsonrpc":"2.0","id":"s1","result":{}}', '{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}'])(
    '%s is a response',
    (text) => {
      expect(decode(text)).toEqual({ kind: 'response' });
    },
  );

  it('a response of another version is refused without its id, which is not an id of this server', () => {
    expect(decode('{"jsonrpc":"1.0","id":3,"result":{}}')).toEqual(invalid(-32600));
  });

  it('never makes it throw', () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom('2.0', 1, 'm', null), fc.bigInt());
    const message = fc.record(
      { jsonrpc: member, id: member, method: member, params: member, result: member },
      { requiredKeys: [] },
    );
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(message, fc.jsonValue()), (value) => {
        kinds.add(decodeMessage(value).kind);
      }),
      { numRuns: 2_000 },
    );
    expect(kinds).toContain('invalid');
  });
});

describe('isBoundedId', () => {
  it.each([0, '', -1, 2n ** 63n - 1n, -(2n ** 63n), 'é'.repeat(128)])('accepts %p', (value) => {
    expect(isBoundedId(value)).toBe(true);
  });

  it.each([0.5, NaN, Infinity, 2 ** 53, 2n ** 63n, {}, null, undefined, 'é'.repeat(129), Symbol('x')])(
    'refuses %p',
    (value) => {
      expect(isBoundedId(value)).toBe(false);
    },
  );
});

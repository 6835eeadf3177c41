import { describe, expect, it, jest } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { isLosslessNumber, parse as parseLossless } from 'lossless-json';

import { canonicalParams } from '../../../lib/request-state/canonical-params.js';
import { decodeJson } from '../../../lib/wire/json.decoder.js';

const messageOf = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;

function canonical(params: string): string {
  const message = messageOf(params);
  expect(decodeJson(message).ok).toBe(true);
  return canonicalParams(message);
}

describe('params are the same', () => {
  it.each([
    ['in another order', '{"a":1,"b":{"d":2,"c":3}}', '{"b":{"c":3,"d":2},"a":1}'],
    ['with white space', '{"a":[1,{}],"b":""}', ' {\n\t"a" : [ 1 ,\r\n{ } ] , "b" : "" } '],
    ['with escapes in strings', '{"a":"A/\u00e9😀\\u007f"}', '{"a":"\\u0041\\/\\u00E9\\ud83d\\uDE00\u007f"}'],
    ['with escapes in names', '{"ab":1}', '{"\\u0061b":1}'],
    ['after a duplicate', '{"a":1}', '{"a":{"x":[2]},"a":1}'],
    ['after a duplicate in other letters', '{"a":1,"b":2}', '{"\\u0061":0,"b":2,"a":1}'],
    ['with another envelope', '{"name":"x"}', '{"_meta":{"a":1},"name":"x"}'],
    ['with an envelope in escapes', '{"name":"x"}', '{"\\u005fmeta":{"a":1},"name":"x"}'],
    ['with answers and state', '{"name":"x"}', '{"requestState":"s","name":"x","inputResponses":{"k":{}}}'],
    ['with __proto__ in another order', '{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
  ])('%s', (_name, one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  it('in a message with another id, after other params, and after a byte order mark', () => {
    const message = '\ufeff{"params":{"a":0},"id":"other","method":"x","params":{"a":1},"more":[{"params":{"a":2}}]}';
    expect(canonicalParams(message)).toBe(canonical('{"a":1}'));
  });
});

describe('params are different', () => {
  it.each([
    ['in the order of items', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['with a fraction', '{"a":1}', '{"a":1.0}'],
    ['with an exponent', '{"a":1}', '{"a":1e0}'],
    ['with another exponent', '{"a":1e0}', '{"a":1E0}'],
    ['below zero', '{"a":0}', '{"a":-0}'],
    ['beyond 2^53', '{"a":9007199254740992}', '{"a":9007199254740993}'],
    ['in a number and a string', '{"a":1}', '{"a":"1"}'],
    ['in a literal and a string', '{"a":true}', '{"a":"true"}'],
    ['in null and nothing', '{"a":null}', '{}'],
    ['in an empty list and an empty object', '{"a":[]}', '{"a":{}}'],
    ['in where a string ends', '{"a":["b,c"]}', '{"a":["b","c"]}'],
    ['in a quote', '{"a":"\\""}', '{"a":"\\\\\\""}'],
    ['in an escaped escape', '{"a":"\\\\u0041"}', '{"a":"A"}'],
    ['in capitals', '{"a":"b"}', '{"a":"B"}'],
    ['in normal forms', '{"a":"\u00e9"}', '{"a":"e\u0301"}'],
    ['in a nested envelope', '{"arguments":{"_meta":1}}', '{"arguments":{"_meta":2}}'],
    ['in nested answers', '{"arguments":{"inputResponses":{}}}', '{"arguments":{}}'],
    ['in nested state', '{"arguments":[{"requestState":"a"}]}', '{"arguments":[{"requestState":"b"}]}'],
    ['in __proto__', '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['in having __proto__', '{"__proto__":null}', '{}'],
    ['in the last duplicate', '{"a":1,"a":2}', '{"a":2,"a":1}'],
  ])('%s', (_name, one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });

  it('from none at all, when they are empty', () => {
    expect([canonicalParams('{"id":1}'), canonical('{}'), canonical('{"_meta":{}}')]).toEqual(['', '{}', '{}']);
  });
});

it('writes params that are not an object unchanged', () => {
  expect(['[2,{"_meta":1}]', '"x"', 'null'].map(canonical)).toEqual(['[2,{"_meta":1}]', '"x"', 'null']);
});

it('follows a message as deep as the decoder does, and no deeper', () => {
  const nested = (depth: number): string => messageOf('{"a":'.repeat(depth) + '[]' + '}'.repeat(depth));
  expect(decodeJson(nested(126)).ok).toBe(true);
  expect(canonicalParams(nested(126))).toHaveLength(126 * 6 + 2);
  expect(decodeJson(nested(127)).ok).toBe(false);
  expect(() => canonicalParams(nested(127))).toThrow('nested deeper than 128');
  expect(() => canonicalParams(messageOf('['.repeat(1_000_000)))).toThrow('nested deeper than 128');
  // What does not count is followed as well.
  const beside = (depth: number): string => messageOf(`{"_meta":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  expect([decodeJson(beside(126)).ok, canonicalParams(beside(126))]).toEqual([true, '{}']);
  expect(decodeJson(beside(127)).ok).toBe(false);
  expect(() => canonicalParams(beside(127))).toThrow('nested deeper than 128');
});

it.each([
  ...['', ' ', '[]', '1', '"x', '{', '{"a"', '{"a":', '{"a":1', '{"a":"', '{"a":"\\"}', '{"a":[', '{"a":[1', '{"a":,}'],
  ...['{"a" 1}', '{1:2}', '{"a":[1 2]}', '{"a":1 "b":2}', '{"a":{"b" 1}}', '{"a":{1:2}}', '{"a":{"b":1 "c":2}}'],
])('comes to an end on %j, which the decoder never accepts', (text) => {
  expect(() => canonicalParams(text)).toThrow(TypeError);
});

it('writes nothing of what does not count', () => {
  const answers = `{${'"\\u0061":[{"\\u0062":"\\u0063"}],'.repeat(100)}"z":0}`;
  const written = jest.spyOn(JSON, 'stringify');
  const params = `{"_meta":${answers},"inputResponses":${answers},"requestState":"\\u0073","a":"\\u0061"}`;
  expect(canonicalParams(`{"other":${answers},"params":${params}}`)).toBe('{"a":"a"}');
  expect(written).toHaveBeenCalledTimes(1);
  written.mockRestore();
});

it('reads long strings of escapes and of quotes', () => {
  for (const piece of ['\\\\', '\\"', 'y']) {
    const value = piece.repeat(500_000);
    expect(canonicalParams(messageOf(`{"a":"${value}"}`))).toBe(`{"a":"${value}"}`);
  }
});

describe('a slow oracle agrees', () => {
  const space = fc.constantFrom('', '', '', ' ', '\n\t');
  const number = fc.constantFrom(...'0 -0 1 1.0 1e0 1E0 1e+2 -1 10 9007199254740992 9007199254740993'.split(' '));
  const string = fc.constantFrom(
    ...['"A"', '"\\u0041"', '"1"', '"1.0"', '"true"', '"null"', '""', '"\\""', '"\\\\"', '"\\\\\\""', '"a,b"', '"]}"'],
    ...['"😀"', '"\\ud83d\\ude00"', '"/"', '"\\/"', '":1"', '" "', '"\\n"', '"\u2028"', '"{}"'],
  );
  const name = fc.constantFrom(
    ...['"a"', '"\\u0061"', '"b"', '"__proto__"', '"constructor"', '"1"', '"10"', '"2"', '""', '"\\""'],
    ...['"_meta"', '"requestState"', '"inputResponses"', '"params"'],
  );
  const json = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      number,
      string,
      fc.constantFrom('true', 'false', 'null'),
      tie('list'),
      tie('object'),
    ),
    list: fc
      .tuple(space, fc.array(tie('value'), { maxLength: 3 }), space)
      .map(([before, items, after]) => `[${before}${items.join(`${after},${before}`)}${after}]`),
    object: fc
      .tuple(space, fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }), space)
      .map(([before, members, after]) => {
        const texts = members.map(([key, value]) => `${before}${key}${after}:${before}${value}${after}`);
        return `{${before}${texts.join(',')}}`;
      }),
  }));

  /** What counts in params, in a form whose parts can be compared one by one. */
  function meaning(params: string): unknown {
    const root = parseLossless(params, undefined, { onDuplicateKey: ({ newValue }) => newValue });
    const members = describeValue(root) as { members: Map<string, unknown> };
    for (const key of ['_meta', 'requestState', 'inputResponses']) members.members.delete(key);
    return members;
  }

  function describeValue(value: unknown): unknown {
    if (isLosslessNumber(value)) return { number: value.value };
    if (Array.isArray(value)) return value.map(describeValue);
    if (typeof value !== 'object' || value === null) return value;
    return { members: new Map(Object.entries(value).map(([key, member]) => [key, describeValue(member)])) };
  }

  it('on which params are equal', () => {
    let equal = 0;
    fc.assert(
      fc.property(json.object, json.object, (one, other) => {
        const expected = isDeepStrictEqual(meaning(one), meaning(other));
        if (expected) equal += 1;
        expect(canonical(one) === canonical(other)).toBe(expected);
      }),
      { seed: 33, numRuns: 2_500 },
    );
    expect(equal).toBeGreaterThan(50);
  });

  it('on params with one member more, less or changed', () => {
    let equal = 0;
    const around = fc.tuple(json.value, json.value, name, name);
    fc.assert(
      fc.property(json.object, around, (rest, [value, another, key, nextKey]) => {
        const one = `{"rest":[${rest}],${key}:${value}}`;
        const other = `{${nextKey}:${another},"rest":[${rest}]}`;
        const expected = isDeepStrictEqual(meaning(one), meaning(other));
        if (expected) equal += 1;
        expect(canonical(one) === canonical(other)).toBe(expected);
      }),
      { seed: 34, numRuns: 2_500 },
    );
    expect(equal).toBeGreaterThan(50);
  });

  it('on what params mean, which their canonical text means too', () => {
    fc.assert(
      fc.property(json.object, (params) => {
        const text = canonical(params);
        expect(meaning(text)).toEqual(meaning(params));
        expect(canonical(text)).toBe(text);
      }),
      { seed: 35, numRuns: 2_000 },
    );
  });

  it('on every string', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [one, other].map((value) => canonical(JSON.stringify({ value }))) as [string, string];
        expect(a === b).toBe(one === other);
        expect((JSON.parse(a) as { value: string }).value).toBe(one);
        const escaped = one.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
        expect(canonical(`{"value":"${escaped}"}`)).toBe(a);
      }),
      { seed: 36, numRuns: 2_000 },
    );
  });
});

import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { decodeJson, findExactInteger } from '../../../lib/wire/json.decoder.js';
import { cpuCostOf } from '../../support/cpu-cost.js';

const NINES = (count: number): string => '9'.repeat(count);
const nested = (depth: number, leaf = ''): string => '['.repeat(depth) + leaf + ']'.repeat(depth);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function valueOf(text: string): unknown {
  const decoding = decodeJson(text);
  if (!decoding.ok) throw new Error(decoding.reason);
  expect(decodeJson(bytes(text))).toEqual(decoding);
  return decoding.value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(input: string | Uint8Array): string {
  const decoding = decodeJson(input);
  if (decoding.ok) throw new Error('the text was accepted');
  return decoding.reason;
}

describe('integers', () => {
  const LITERALS = [
    '9007199254740991',
    '9007199254740992',
    '-9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '1234567890123456',
    '-0',
    NINES(64),
    `-${NINES(64)}`,
  ];

  it.each(LITERALS)('%s is the number that JSON.parse makes of it', (literal) => {
    expect(valueOf(literal)).toBe(Number(literal));
    expect(valueOf(`{"params":{"arguments":{"id":${literal}}}}`)).toEqual({
      params: { arguments: { id: Number(literal) } },
    });
    expect(valueOf(`[ ${literal} , 1]`)).toEqual([Number(literal), 1]);
  });

  it.each(LITERALS.filter((literal) => !Number.isSafeInteger(Number(literal))))(
    '%s stays exact as an id and as a progress token',
    (literal) => {
      const value = valueOf(
        `{"n":${literal},"id": ${literal},"params":{"requestId":${literal},"_meta":{"progressToken":${literal}}}}`,
      );
      const exact = BigInt(literal);
      const params = { requestId: exact, _meta: { progressToken: exact } };
      expect(value).toEqual({ n: Number(literal), id: exact, params });
    },
  );

  it('takes the last of duplicate ids, exact or not', () => {
    expect(valueOf(`{"id":${NINES(20)},"id":7}`)).toEqual({ id: 7 });
    expect(valueOf(`{"id":7,"id":${NINES(20)}}`)).toEqual({ id: BigInt(NINES(20)) });
    expect(valueOf(`{"id":"${NINES(20)}","n":${NINES(20)}}`)).toMatchObject({ id: NINES(20) });
  });

  it('costs little beside a long string, whose characters are not looked at one by one', () => {
    const text = `{"id":${NINES(20)},"s":"${'x'.repeat(2_000_000)}"}`;
    const looks = jest.spyOn(String.prototype, 'charCodeAt');
    const { ok } = decodeJson(text);
    const { length } = looks.mock.calls;
    looks.mockRestore();
    expect(ok).toBe(true);
    expect(length).toBeGreaterThan(20);
    expect(length).toBeLessThan(200);
  });

  it.each([
    NINES(65),
    `-${NINES(65)}`,
    `${NINES(40)}.${NINES(25)}`,
    `0.${'0'.repeat(64)}`,
    `1e-${NINES(64)}`,
    NINES(400),
  ])('refuses %s for its digits', (literal) => {
    expect(reasonOf(`{"n":${literal}}`)).toBe('a number of more than 64 digits');
    expect(reasonOf(`{"a":{},"b":[1,${literal}]}`)).toBe('a number of more than 64 digits');
  });

  it.each([`${NINES(40)}.${NINES(24)}`, `0.${'1'.repeat(63)}`, `-1.${'0'.repeat(60)}e-10`])(
    'takes the 64 digits of %s',
    (literal) => {
      expect(valueOf(literal)).toBe(Number(literal));
    },
  );

  it.each(['', '0.'])('refuses millions of digits after "%s" in linear time', (begin) => {
    const costOf = (length: number): number => {
      const text = `{"n":${begin}${NINES(length)}}`;
      return cpuCostOf(() => expect(reasonOf(text)).toBe('a number of more than 64 digits'));
    };
    // 16 times the length: 16 times the cost when linear, 256 times when quadratic.
    expect(costOf(2_097_152)).toBeLessThan(Math.max(costOf(131_072), 3_000) * 100);
  });

  it.each(['1e999', '-1e999', '1E+400', '1e0400', `${NINES(20)}e300`, '0.1e310'])(
    'refuses %s, which overflows',
    (literal) => {
      expect(reasonOf(`{"n":${literal}}`)).toBe('a number that is too large');
    },
  );

  it.each<[string, number]>([
    ['1e308', 1e308],
    ['1e-999', 0],
    ['1.0', 1],
    ['12345678901234567.5', Number('12345678901234567.5')],
    ['12345678901234567e3', Number('12345678901234567e3')],
  ])('takes %s as a number', (literal, value) => {
    expect(valueOf(literal)).toBe(value);
  });

  it.each([NINES(65), '1e999', '\\"1e999', `\\\\\\"${NINES(65)}`, `\\u0022${NINES(70)}`])(
    'leaves "%s" in a string and in a key alone',
    (content) => {
      const text = `{"${content}":"${content}","n":12345678901234567890}`;
      const [[key, value]] = Object.entries(valueOf(text) as object);
      expect([key, value]).toEqual([JSON.parse(`"${content}"`), JSON.parse(`"${content}"`)]);
    },
  );

  it('sees the number behind a string that ends in backslashes', () => {
    expect(reasonOf(`{"a":"\\\\","n":${NINES(65)}}`)).toBe('a number of more than 64 digits');
    expect(valueOf(`{"a\\\\":"\\\\","n":${NINES(20)}}`)).toEqual({ 'a\\': '\\', n: Number(NINES(20)) });
  });
});

describe('depth', () => {
  it('takes 128 and refuses 129', () => {
    expect(valueOf(nested(128))).toEqual(JSON.parse(nested(128)));
    expect(reasonOf(nested(129))).toBe('nested deeper than 128');
    expect(reasonOf('{"a":'.repeat(129) + '1' + '}'.repeat(129))).toBe('nested deeper than 128');
    expect(reasonOf('{"a":['.repeat(65) + ']}'.repeat(65))).toBe('nested deeper than 128');
    expect(valueOf('{"a":['.repeat(64) + ']}'.repeat(64))).toBeDefined();
  });

  it('applies beside big integers too', () => {
    expect(valueOf(nested(128, NINES(20)))).toBeDefined();
    expect(reasonOf(nested(129, NINES(20)))).toBe('nested deeper than 128');
  });

  it('refuses 200,000 levels without overflowing the stack', () => {
    expect(reasonOf(nested(200_000))).toBe('nested deeper than 128');
    expect(reasonOf(nested(200_000, NINES(20)))).toBe('nested deeper than 128');
  });

  it('sees levels that a duplicate key hides', () => {
    expect(reasonOf(`{"a":${nested(200_000)},"a":${NINES(20)}}`)).toBe('nested deeper than 128');
  });

  it('does not count siblings or brackets in strings', () => {
    const siblings = `[${Array.from({ length: 1_000 }, () => '{"a":[]}').join(',')}]`;
    expect(valueOf(siblings)).toHaveLength(1_000);
    expect(valueOf(`["${'[{'.repeat(500)}\\"${'['.repeat(500)}"]`)).toHaveLength(1);
  });
});

describe('the text', () => {
  it.each([
    '{"a":1} x',
    '{"a":1}{}',
    '',
    ' ',
    'nul',
    "{'a':1}",
    '[1,]',
    '01',
    '+1',
    '.5',
    'NaN',
    '{"a":1,}',
    '"\n"',
    '\ufeff\ufeff1',
    '1\0',
  ])('refuses %j', (text) => {
    expect(reasonOf(text)).toBe('not valid JSON');
    expect(reasonOf(bytes(text))).toBe('not valid JSON');
  });

  it('takes a trailing newline and surrounding white space', () => {
    expect(valueOf('{"a":1}\n')).toEqual({ a: 1 });
    expect(valueOf(' \t\r\n{"a":1}\r\n')).toEqual({ a: 1 });
  });

  it('drops one byte order mark', () => {
    expect(valueOf('\ufeff{"a":"é"}')).toEqual({ a: 'é' });
    expect(valueOf('\ufeff1')).toBe(1);
  });

  it.each([[0xff], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0xaf, 0x22]])(
    'refuses the bytes %j, which are not UTF-8',
    (...raw) => {
      expect(reasonOf(Uint8Array.from(raw))).toBe('not valid UTF-8');
    },
  );

  it('reads only its part of a larger buffer', () => {
    expect(decodeJson(bytes('xx[1]xx').subarray(2, 5))).toEqual({ ok: true, value: [1] });
  });

  it('never quotes the text in a reason', () => {
    for (const text of ['secret', '{"secret":1', `{"secret":${NINES(65)}}`, '"\\ud800secret"']) {
      expect(reasonOf(text)).not.toContain('secret');
    }
  });
});

describe('surrogates', () => {
  it.each([
    '"\\ud800"',
    '"\\uDC00"',
    '"\\ud800x"',
    '"\\ud800\\ud800\\udc00"',
    '"\\udc00\\ud800"',
    '"\\ud83d\\n\\ude00"',
    '"\\ud83dx\\ude00"',
    '"\\ud83d\\\\ude00"',
    '{"\\udfff":1}',
    '["\\ud800","\\udc00"]',
    '{"a":"\\\\\\ud800"}',
  ])('refuses %s', (text) => {
    expect(reasonOf(text)).toBe('an unpaired surrogate');
  });

  it('refuses a raw one in a string', () => {
    expect(reasonOf('"\ud800"')).toBe('not valid UTF-8');
    expect(reasonOf('"\\ud83d\ude00"')).toBe('not valid UTF-8');
  });

  it.each<[string, string]>([
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\uD83D\\uDE00\\uD83D\\uDE00"', '😀😀'],
    ['"\\\\ud800"', '\\ud800'],
    ['"\\\\\\\\ud800 \\u00e9"', '\\\\ud800 é'],
    ['"😀"', '😀'],
  ])('takes %s', (text, value) => {
    expect(valueOf(text)).toBe(value);
  });
});

describe('keys', () => {
  it.each(['1', NINES(20)])('keep __proto__ as an ordinary own key beside %s', (literal) => {
    const value = valueOf(
      `{"__proto__":{"polluted":${literal}},"a":{"constructor":{"prototype":{"polluted":1}}}}`,
    ) as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(JSON.parse('{}')));
    expect('polluted' in value).toBe(false);
    expect('polluted' in {}).toBe(false);
  });

  it.each(['1', NINES(20)])('keep the last of duplicates beside %s', (literal) => {
    expect(valueOf(`{"a":1,"a":2,"n":${literal}}`)).toMatchObject({ a: 2 });
    expect(valueOf(`{"a":[],"a":{},"n":${literal}}`)).toMatchObject({ a: {} });
    expect(valueOf(`{"__proto__":1,"__proto__":2,"n":${literal}}`)).toHaveProperty(['__proto__'], 2);
    expect(valueOf(`{"n":${literal},"n":7}`)).toEqual({ n: 7 });
  });
});

describe('decodeJson on anything', () => {
  const junk = fc.array(
    fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        '\\',
        ',',
        ':',
        '-',
        '.',
        'e999',
        '\\ud800',
        '\\u',
        ' ',
        'null',
        '"a":',
        NINES(20),
        NINES(65),
      ),
      fc.string({ unit: 'binary' }),
      fc.json(),
    ),
    { maxLength: 12 },
  );

  it('never throws on strings, and agrees with JSON.parse on valid JSON', () => {
    fc.assert(
      fc.property(junk, (pieces) => {
        const text = pieces.join('');
        expect(decodeJson(text).ok && !isJson(text.replace(/^\ufeff/, ''))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws on bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (raw) => {
        expect(typeof decodeJson(raw).ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });

  const ordinary = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' });

  it('gives what JSON.parse gives for ordinary JSON', () => {
    fc.assert(
      fc.property(ordinary, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(valueOf(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('gives the same beside a big integer, on the slow path', () => {
    fc.assert(
      fc.property(ordinary, (value) => {
        const text = JSON.stringify(value);
        const [decoded, marker] = valueOf(`[${text},${NINES(20)}]`) as unknown[];
        expect(marker).toBe(Number(NINES(20)));
        expect(decoded).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps every id of up to 64 digits exact', () => {
    const limit = 10n ** 64n - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (integer) => {
        expect(BigInt((valueOf(`{"id":${integer}}`) as { id: number }).id)).toBe(integer);
      }),
    );
  });

  it('agrees with a lossless parser on ids, wherever strings look like numbers', () => {
    const members = fc.dictionary(
      fc.constantFrom('a', 'id', 'params', '__proto__'),
      fc.constantFrom('\\"', NINES(20), '{'),
    );
    fc.assert(
      fc.property(members, fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), (object, id) => {
        const text = `{"before":${JSON.stringify(object)},"id":${id},"after":${JSON.stringify(object)}}`;
        const oracle = parseLossless(text) as { id: { value: string } };
        expect((valueOf(text) as { id: bigint }).id).toBe(BigInt(oracle.id.value));
      }),
    );
  });
});

describe('findExactInteger', () => {
  const text = `{"a":{"b":${NINES(20)}},"a":{"b":-${NINES(17)},"c":5,"d":"${NINES(20)}"}}`;

  it.each([
    [['a', 'b'], `-${NINES(17)}`],
    [['a', 'c'], undefined],
    [['a', 'd'], undefined],
    [['a', 'e'], undefined],
    [['a', 'c', 'x'], undefined],
    [['__proto__', 'b'], undefined],
    [[], undefined],
  ])('finds at %j the digits %s', (path, digits) => {
    expect(findExactInteger(text, path)).toBe(digits);
    expect(findExactInteger(bytes(`\ufeff${text}`), path)).toBe(digits);
  });

  it('finds none where there are none', () => {
    expect(findExactInteger('{"a":5}', ['a'])).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { createCipheriv, createHmac, hkdfSync } from 'node:crypto';

import { MAX_TOKEN_BYTES } from '../../../lib/request-state/state-token.js';
import { StateTooLargeError } from '../../../lib/request-state/state-too-large.error.js';
import { ManualClock } from '../../support/manual-clock.js';
import { BINDING, MODES, OTHER_BINDINGS, forge, keyOf, rewrite, sealerOf } from './sealing.js';

const TTL_MS = 300_000;

describe.each(MODES)('a token that is %s', (mode) => {
  it.each(['', 'x', '{"step":2}', 'ä 😀 \u0000 \u2028', 'y'.repeat(10_000)])('gives back the payload', (payload) => {
    const sealer = sealerOf({ mode });
    const token = sealer.seal(payload, BINDING);
    expect(token).toMatch(/^a\.[A-Za-z0-9_-]+$/);
    expect(sealer.open(token, () => ({ ...BINDING }))).toEqual({
      payload,
      id: expect.stringMatching(/^[A-Za-z0-9_-]{16}$/),
      expiresAtMs: TTL_MS,
    });
  });

  it('differs each time, and its id stays the same', () => {
    const sealer = sealerOf({ mode });
    const tokens = Array.from({ length: 100 }, () => sealer.seal('same', BINDING));
    const ids = tokens.map((token) => sealer.open(token, () => BINDING)?.id);
    expect(new Set(tokens).size).toBe(100);
    expect(new Set(ids).size).toBe(100);
    expect(tokens.map((token) => sealer.open(token, () => BINDING)?.id)).toEqual(ids);
  });

  it('opens in every instance that has the key', () => {
    expect(sealerOf({ mode }).open(sealerOf({ mode }).seal('x', BINDING), () => BINDING)?.payload).toBe('x');
  });

  it.each(OTHER_BINDINGS)('does not open for %s', (_name, other) => {
    const sealer = sealerOf({ mode });
    expect(sealer.open(sealer.seal('x', BINDING), () => other)).toBeUndefined();
    expect(sealer.open(sealer.seal('x', other), () => BINDING)).toBeUndefined();
    expect(sealer.open(sealer.seal('x', other), () => other)?.payload).toBe('x');
  });

  it('opens for one binding alone', () => {
    const odd = { name: '', server: '', method: '', params: '', principal: '' };
    const bindings = [
      ...[BINDING, ...OTHER_BINDINGS.map(([, binding]) => binding)],
      ...[
        odd,
        { ...odd, name: '\u3a3a' },
        { ...odd, server: '\u3a3a' },
        { ...odd, method: '\u3a3a' },
        { ...odd, principal: undefined },
      ],
      ...[
        { ...odd, server: '0:' },
        { ...odd, server: '1', method: ':' },
        { ...odd, params: '\u3a30' },
      ],
    ];
    const sealer = sealerOf({ mode });
    for (const [place, sealed] of bindings.entries()) {
      const token = sealer.seal('x', sealed);
      const opening = bindings.map((binding) => sealer.open(token, () => binding) !== undefined);
      expect(opening).toEqual(bindings.map((_, index) => index === place));
    }
  });

  it('distinguishes principals that UTF-8 does not', () => {
    const sealer = sealerOf({ mode });
    const token = sealer.seal('x', { ...BINDING, principal: '\ud800' });
    expect(sealer.open(token, () => ({ ...BINDING, principal: '\ufffd' }))).toBeUndefined();
    expect(sealer.open(token, () => ({ ...BINDING, principal: '\ud800' }))?.payload).toBe('x');
  });

  it('is refused from the millisecond on in which it expires', () => {
    const clock = new ManualClock();
    const sealer = sealerOf({ mode, clock });
    clock.advance(50);
    const token = sealer.seal('x', BINDING);
    clock.advance(TTL_MS - 1);
    expect(sealer.open(token, () => BINDING)?.expiresAtMs).toBe(50 + TTL_MS);
    clock.advance(1);
    expect(sealer.open(token, () => BINDING)).toBeUndefined();
  });

  it('is refused if it is further in the future than the tolerance of clocks', () => {
    const ahead = new ManualClock();
    const here = new ManualClock();
    ahead.advance(5_001);
    const token = sealerOf({ mode, clock: ahead }).seal('x', BINDING);
    const sealer = sealerOf({ mode, clock: here });
    expect(sealer.open(token, () => BINDING)).toBeUndefined();
    here.advance(1);
    expect(sealer.open(token, () => BINDING)?.payload).toBe('x');
  });

  it('keeps the lifetime that it was sealed with', () => {
    const clock = new ManualClock();
    const short = sealerOf({ mode, clock, ttlMs: 1_000 });
    const long = sealerOf({ mode, clock, ttlMs: 900_000 });
    const token = short.seal('x', BINDING);
    const lasting = long.seal('x', BINDING);
    clock.advance(1_000);
    expect(long.open(token, () => BINDING)).toBeUndefined();
    expect(short.open(lasting, () => BINDING)?.expiresAtMs).toBe(900_000);
  });

  it('can be opened again until it expires', () => {
    const sealer = sealerOf({ mode });
    const token = sealer.seal('x', BINDING);
    expect(sealer.open(token, () => BINDING)).toEqual(sealer.open(token, () => BINDING));
  });

  it('is at most 16,384 bytes, and more is not sealed', () => {
    const sealer = sealerOf({ mode });
    const most = 'x'.repeat(largestPayload(mode));
    const token = sealer.seal(most, BINDING);
    expect(token.length).toBeGreaterThan(MAX_TOKEN_BYTES - 2);
    expect(token.length).toBeLessThanOrEqual(MAX_TOKEN_BYTES);
    expect(sealer.open(token, () => BINDING)?.payload).toBe(most);
    expect(() => sealer.seal(`${most}x`, BINDING)).toThrow(StateTooLargeError);
    // As many characters, but twice the bytes.
    expect(() => sealer.seal('ä'.repeat(most.length), BINDING)).toThrow(StateTooLargeError);
  });

  it('has a known length before it is created', () => {
    const sealer = sealerOf({ mode });
    for (let length = largestPayload(mode) + 1; length < largestPayload(mode) + 9; length += 1) {
      const overhead = 32 + (mode === 'encrypted' ? 16 : 32);
      const bytes = 2 + Buffer.alloc(22 + length + overhead).toString('base64url').length;
      expect(() => sealer.seal('x'.repeat(length), BINDING)).toThrow(`would be ${bytes} bytes`);
    }
  });

  it('is refused with the other mode in its header, and by the other mode', () => {
    const [other] = MODES.filter((name) => name !== mode);
    const token = sealerOf({ mode }).seal('x', BINDING);
    const disguised = rewrite(token, (bytes) => {
      bytes[0] = bytes[0] === 1 ? 2 : 1;
    });
    for (const sealer of [sealerOf({ mode }), sealerOf({ mode: other })]) {
      expect(sealer.open(disguised, () => BINDING)).toBeUndefined();
    }
    expect(sealerOf({ mode: other }).open(token, () => BINDING)).toBeUndefined();
  });

  it('has its binding looked at only when it is authentic and current', () => {
    const clock = new ManualClock();
    const sealer = sealerOf({ mode, clock, keys: [keyOf('a'), keyOf('b')] });
    const other = sealerOf({ mode, clock, keys: [keyOf('a', 9), keyOf('b', 8)] });
    const token = sealer.seal('x', BINDING);
    let looks = 0;
    const bindingOf = (): typeof BINDING => {
      looks += 1;
      return BINDING;
    };
    const wrong = [
      ...['', 'a.AAAA', `a.${'A'.repeat(100)}`, `${token}A`, other.seal('x', BINDING), token.replace('a.', 'b.')],
      ...[token.length - 1, 40, 10].map((place) =>
        rewrite(token, (bytes) => {
          const index = Math.min(place, bytes.length - 1);
          bytes[index] = (bytes[index] ?? 0) ^ 1;
        }),
      ),
      forge({ mode, key: keyOf('a'), header: { lifetimeMs: 0 } }),
      forge({ mode, key: keyOf('a'), header: { issuedAtMs: 5_001 } }),
      forge({ mode, key: keyOf('a'), content: Uint8Array.from([0xff]) }),
    ];
    for (const candidate of wrong) expect(sealer.open(candidate, bindingOf)).toBeUndefined();
    expect(looks).toBe(0);
    expect(sealer.open(token, bindingOf)?.payload).toBe('x');
    expect(looks).toBe(1);
    clock.advance(TTL_MS);
    expect(sealer.open(token, bindingOf)).toBeUndefined();
    expect(looks).toBe(1);
  });

  it('shows nothing of its binding, not even that another one has the same', () => {
    const sealer = sealerOf({ mode });
    const marks = [1, 2].map(() => {
      const bytes = Buffer.from(sealer.seal('same', BINDING).slice(2), 'base64url');
      return bytes.subarray(22, 54).toString('hex');
    });
    expect(marks[0]).not.toBe(marks[1]);
  });

  describe('and rightly sealed', () => {
    const key = keyOf('a');
    const openForged = (parts: Partial<Parameters<typeof forge>[0]>): unknown =>
      sealerOf({ mode }).open(forge({ mode, key, ...parts }), () => BINDING);

    it('opens', () => {
      expect(openForged({})).toMatchObject({ payload: 'payload' });
    });

    it.each([[[0xff]], [[0xc3]], [[0xed, 0xa0, 0x80]], [[0xc0, 0x80]], [[0x61, 0xf8]]])(
      'is refused with bytes %j, which are not UTF-8',
      (bytes) => {
        expect(openForged({ content: Uint8Array.from(bytes) })).toBeUndefined();
      },
    );

    it.each([0, 900_001, 2 ** 24 - 1])('is refused with a lifetime of %d ms', (lifetimeMs) => {
      expect(openForged({ header: { lifetimeMs } })).toBeUndefined();
    });

    it.each([
      ['another mark', { mark: new Uint8Array(32) }],
      ['no room for a mark', { mark: new Uint8Array(0) }],
    ])('is refused with %s', (_what, parts) => {
      expect(openForged(parts)).toBeUndefined();
    });

    it('keeps a byte order mark of its payload', () => {
      expect(openForged({ content: Buffer.from('\ufeffx') })).toMatchObject({ payload: '\ufeffx' });
    });
  });
});

function refusalOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

function largestPayload(mode: 'encrypted' | 'signed'): number {
  const bytes = Math.floor(((MAX_TOKEN_BYTES - 'a.'.length) * 3) / 4);
  return bytes - 22 - 32 - (mode === 'encrypted' ? 16 : 32);
}

describe('the format of a token lets instances of two releases open each other’s tokens', () => {
  const key = keyOf('a');
  const subKey = (mode: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', key.secret, 'nestjs-mcp request-state', `v1 ${mode}`, 32));
  const header = (mode: number): Buffer =>
    Buffer.concat([Buffer.from([mode]), Buffer.alloc(12, 7), Buffer.from('0000000000010493e0', 'hex')]);
  const content = (mode: number, name: string): Buffer => {
    const mark = createHmac('sha256', subKey(`${name} binding`)).update(frame(mode));
    for (const field of [BINDING.name, BINDING.server, BINDING.method, BINDING.params, BINDING.principal] as string[]) {
      mark.update(`${field.length}:`).update(Buffer.from(field, 'utf16le'));
    }
    return Buffer.concat([mark.digest(), Buffer.from('payload')]);
  };
  const frame = (mode: number): Buffer => Buffer.concat([header(mode), Buffer.from('\u0001a')]);
  const forged = { key, header: { issuedAtMs: 1, lifetimeMs: 300_000 } };

  it('when signed', () => {
    const marked = content(2, 'signed');
    const hmac = createHmac('sha256', subKey('signed')).update(frame(2)).update(marked);
    const bytes = Buffer.concat([header(2), marked, hmac.digest()]);
    expect(forge({ mode: 'signed', ...forged })).toBe(`a.${bytes.toString('base64url')}`);
  });

  it('when encrypted', () => {
    const cipher = createCipheriv('aes-256-gcm', subKey('encrypted'), Buffer.alloc(12, 7));
    cipher.setAAD(frame(1));
    const body = Buffer.concat([cipher.update(content(1, 'encrypted')), cipher.final(), cipher.getAuthTag()]);
    expect(forge({ mode: 'encrypted', ...forged })).toBe(`a.${Buffer.concat([header(1), body]).toString('base64url')}`);
  });
});

it('hides the payload when encrypted, and shows it when signed', () => {
  const bytesOf = (mode: 'encrypted' | 'signed'): Buffer =>
    Buffer.from(sealerOf({ mode }).seal('plain words', BINDING).slice(2), 'base64url');
  expect(bytesOf('signed').includes('plain words')).toBe(true);
  expect(bytesOf('encrypted').includes('plain words')).toBe(false);
});

it('encrypts by default', () => {
  const token = sealerOf({}).seal('x', BINDING);
  expect(sealerOf({ mode: 'encrypted' }).open(token, () => BINDING)?.payload).toBe('x');
});

it('names the large value, the limit and the cure, and nothing of the content', () => {
  const payload = 'SECRET'.repeat(4_000);
  const error = refusalOf(() => sealerOf({}).seal(payload, BINDING));
  expect(error).toMatchObject({
    code: 'MCP_STATE_TOO_LARGE',
    bytes: 32_096,
    maxBytes: 16_384,
    message:
      'The request state would be 32096 bytes when sealed, and may be 16384 at most. ' +
      'Keep large data on the server, and put into the state what finds it again.',
  });
  expect(JSON.stringify(error)).not.toContain('SECRET');
});

it('does not seal what would come back changed', () => {
  expect(() => sealerOf({}).seal('a\ud800', BINDING)).toThrow(/unpaired surrogate/);
});

it('opens nothing while the clock gives no number', () => {
  const clock = new ManualClock();
  const sealer = sealerOf({ clock });
  const token = sealer.seal('x', BINDING);
  clock.advance(Number.NaN);
  expect(sealer.open(token, () => BINDING)).toBeUndefined();
});

it('takes a clock between two milliseconds', () => {
  const clock = new ManualClock();
  clock.advance(10.7);
  const sealer = sealerOf({ clock, ttlMs: 5 });
  expect(sealer.open(sealer.seal('x', BINDING), () => BINDING)?.expiresAtMs).toBe(15);
});

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { StateMode } from '../../../lib/request-state/state-sealer-options.interface.js';
import type { StateSealer } from '../../../lib/request-state/state-sealer.js';
import { encodeHeader, encodeToken } from '../../../lib/request-state/state-token.js';
import { BINDING, MODES, OTHER_BINDINGS, forge, keyOf, rewrite, sealerOf } from './sealing.js';

const SETTINGS = { seed: 41, numRuns: 10_000 };
const RING = [keyOf('2026-11', 1), keyOf('2026-10', 2), keyOf('x', 3)];
const STRANGERS = [keyOf('2026-11', 50), keyOf('2026-10', 51), keyOf('y', 52)];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

type Mutation = (token: string, other: string) => unknown;

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (length: number, share: number): number => Math.floor(length * share);
const split = (token: string): [string, string] => token.split('.') as [string, string];

const bitFlips = fc.array(fc.tuple(place, fc.integer({ min: 0, max: 7 })), { minLength: 1, maxLength: 3 }).map(
  (flips): Mutation =>
    (token) =>
      rewrite(token, (bytes) => {
        for (const [share, bit] of flips) {
          const index = at(bytes.length, share);
          bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        }
      }),
);

const letters = fc
  .tuple(place, fc.constantFrom(...LETTERS.split(''), '.', '=', ' ', 'ä', '\u0000', '\ud800', '+', '/'))
  .map(([share, letter]): Mutation => (token) => {
    const index = at(token.length, share);
    return token.slice(0, index) + letter + token.slice(index + 1);
  });

const insertions = fc
  .tuple(place, fc.string({ unit: fc.constantFrom(...LETTERS.split(''), '.'), minLength: 1, maxLength: 5 }))
  .map(([share, text]): Mutation => (token) => {
    const index = at(token.length + 1, share);
    return token.slice(0, index) + text + token.slice(index);
  });

const truncations = fc.tuple(place, fc.boolean()).map(
  ([share, fromStart]): Mutation =>
    (token) =>
      fromStart ? token.slice(at(token.length, share) + 1) : token.slice(0, at(token.length, share)),
);

const byteCuts = fc.tuple(place, place, fc.uint8Array({ maxLength: 20 })).map(
  ([from, to, instead]): Mutation =>
    (token) =>
      rewrite(token, (bytes) => {
        const [start, end] = [at(bytes.length, from), at(bytes.length, to)].toSorted((a, b) => a - b) as [
          number,
          number,
        ];
        return Buffer.concat([bytes.subarray(0, start), instead, bytes.subarray(end + 1)]);
      }),
);

/** Parts of two good tokens, as long as they are not all of one. */
const splices = place.map(
  (share): Mutation =>
    (token, other) =>
      rewrite(token, (bytes) => {
        const rest = Buffer.from(split(other)[1], 'base64url');
        const index = 1 + at(bytes.length - 1, share);
        return Buffer.concat([bytes.subarray(0, index), rest.subarray(index)]);
      }),
);

const segments = fc.constantFrom<Mutation>(
  (token) => split(token).reverse().join('.'),
  (token) => split(token)[1],
  (token) => `${token}.${split(token)[1]}`,
  (token) => `${token}.`,
  (token) => `.${token}`,
  (token) => `.${split(token)[1]}`,
  (token) => token.replace('.', '..'),
  (token) => token.replace('.', ''),
  (token) => token.replace('.', ':'),
  (token, other) => `${split(token)[0]}.${split(other)[1]}x`,
  ...['2026-10', 'x', 'y', 'X', '2026-1', '2026-11x', ''].map(
    (id): Mutation =>
      (token) =>
        `${id}.${split(token)[1]}`,
  ),
);

const aliens = fc.constantFrom<Mutation>(
  (token) => `${token}=`,
  (token) => `${token}==`,
  (token) => ` ${token}`,
  (token) => `${token}\n`,
  (token) => `\ufeff${token}`,
  (token) => token.replace('.', '\uff0e'),
  (token) => encodeURIComponent(token).replace('.', '%2E'),
  (token) => `"${token}"`,
  (token) => token.toUpperCase(),
  (token) => token.toLowerCase(),
  (token) => `${split(token)[0]}.${Buffer.from(split(token)[1], 'base64url').toString('hex')}`,
  (token) => `${split(token)[0]}.${Buffer.from(split(token)[1], 'base64url').toString('base64')}=`,
  (token) => Buffer.from(token).toString('base64url'),
  (token) => Buffer.from(token, 'utf16le').toString('latin1'),
  (token) => [token],
  (token) => Object(token) as unknown,
  (token) => ({ toString: () => token, length: token.length }),
  (token) => Buffer.from(token),
  () => undefined,
  () => null,
  () => 12_345,
  () => true,
  () => '',
  () => ({}),
);

/** Another last letter for the same bytes. */
const trailingBits = fc.integer({ min: 1, max: 63 }).map(
  (step): Mutation =>
    (token) =>
      token.slice(0, -1) + LETTERS.charAt((LETTERS.indexOf(token.slice(-1)) + step) % 64),
);

const mutations = fc.oneof(
  ...[bitFlips, letters, insertions, truncations, byteCuts, splices, segments, aliens, trailingBits],
);

/** What would be let in, and must not be. */
function accepted(sealer: StateSealer, candidates: readonly unknown[]): unknown[] {
  return candidates.filter((candidate) => sealer.open(candidate, () => BINDING) !== undefined);
}

/** Throws with the first candidate that is let in. */
function refusing(sealer: StateSealer, candidates: fc.Arbitrary<unknown>): () => void {
  const isRefused = fc.property(candidates, (candidate) => sealer.open(candidate, () => BINDING) === undefined);
  return () => fc.assert(isRefused, SETTINGS);
}

describe.each(MODES)('of 10,000 false tokens, none opens that is %s', (mode) => {
  const sealer = sealerOf({ mode, keys: RING });
  const tokens = ['', 'x', '{"step":1}', 'y'.repeat(300)].map((payload) => sealer.seal(payload, BINDING));
  const token = fc.constantFrom(...tokens);

  it('among changed ones, while the good ones do', () => {
    fc.assert(
      fc.property(token, token, mutations, (good, other, mutate) => {
        const candidate = mutate(good, other);
        fc.pre(!tokens.includes(candidate as string));
        return sealer.open(candidate, () => BINDING) === undefined;
      }),
      SETTINGS,
    );
    expect(accepted(sealer, tokens)).toEqual(tokens);
  });

  it('among those of other keys, modes and bindings', () => {
    const payload = fc.string({ maxLength: 40 });
    const [otherMode] = MODES.filter((name) => name !== mode) as [StateMode];
    const strangers = STRANGERS.map((key) => sealerOf({ mode, keys: [key] }));
    const others = RING.map((key) => sealerOf({ mode: otherMode, keys: [key] }));
    const bindings = OTHER_BINDINGS.map(([, binding]) => binding);
    const foreign = fc.oneof(
      fc.tuple(payload, fc.constantFrom(...strangers)).map(([text, stranger]) => stranger.seal(text, BINDING)),
      fc.tuple(payload, fc.constantFrom(...others)).map(([text, other]) => other.seal(text, BINDING)),
      fc.tuple(payload, fc.constantFrom(...bindings)).map(([text, binding]) => sealer.seal(text, binding)),
      fc.tuple(payload, fc.constantFrom(...others)).map(([text, other]) =>
        rewrite(other.seal(text, BINDING), (bytes) => {
          bytes[0] = mode === 'encrypted' ? 1 : 2;
        }),
      ),
      fc
        .tuple(payload, fc.constantFrom(...STRANGERS), fc.constantFrom(...RING))
        .map(([text, { secret }, { id }]) => forge({ mode, key: { id, secret }, content: Buffer.from(text) })),
    );
    expect(refusing(sealer, foreign)).not.toThrow();
  });

  it('among texts that look like tokens', () => {
    const id = fc.constantFrom('2026-11', '2026-10', 'x', 'nobody');
    const bytes = fc.uint8Array({ maxLength: 90 });
    const header = fc.record({
      mode: fc.constantFrom(...MODES),
      nonce: fc.uint8Array({ minLength: 12, maxLength: 12 }),
      issuedAtMs: fc.constantFrom(0, 0, 0, 1, 2 ** 48 - 1),
      lifetimeMs: fc.constantFrom(300_000, 300_000, 1, 0, 900_000, 900_001),
    });
    const invented = fc
      .tuple(id, fc.oneof(bytes, header.map(encodeHeader)), bytes)
      .map(([keyId, start, body]) => encodeToken({ keyId, header: start, body }));
    expect(refusing(sealer, invented)).not.toThrow();
  });

  it('with any one bit changed, any letter missing, or any letter twice', () => {
    const good = sealer.seal('x', BINDING);
    const size = Buffer.from(split(good)[1], 'base64url').length;
    const flipped = Array.from({ length: size * 8 }, (_, bit) =>
      rewrite(good, (bytes) => {
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      }),
    );
    const resized = Array.from({ length: good.length }, (_, index) => [
      good.slice(0, index) + good.slice(index + 1),
      good.slice(0, index + 1) + good.slice(index),
    ]).flat();
    expect(accepted(sealer, flipped)).toEqual([]);
    expect(accepted(sealer, [...resized, good])).toEqual([good]);
  });

  it('with letters behind it, up to the limit and beyond', () => {
    expect(
      accepted(
        sealer,
        tokens.map((good) => good.padEnd(16_385, 'A')),
      ),
    ).toEqual([]);
    expect(
      accepted(
        sealer,
        tokens.map((good) => good.padEnd(16_384, 'A')),
      ),
    ).toEqual([]);
  });
});

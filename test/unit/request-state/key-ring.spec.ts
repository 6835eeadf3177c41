import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { StateMode } from '../../../lib/request-state/state-sealer-options.interface.js';
import { EncryptingCipher, SigningCipher } from '../../../lib/request-state/key-ring.js';
import { ManualClock } from '../../support/manual-clock.js';
import { BINDING, MODES, forge, keyOf, rewrite, sealerOf } from './sealing.js';

const OLD = keyOf('2026-10');
const NEW = keyOf('2026-11', 99);
const OTHER = keyOf('2026-12', 44);

describe('KeyRing', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  describe.each(MODES)('keys of tokens that are %s', (mode) => {
    it('seal when first, and open at every place', () => {
      const before = sealerOf({ mode, keys: [OLD] });
      const during = sealerOf({ mode, keys: [NEW, OLD] });
      const after = sealerOf({ mode, keys: [NEW] });
      const [old, fresh] = [before.seal('old', BINDING), during.seal('new', BINDING)];
      expect([old, fresh].map((token) => token.split('.')[0])).toEqual(['2026-10', '2026-11']);
      expect(during.open(old, () => BINDING)?.payload).toBe('old');
      expect(during.open(fresh, () => BINDING)?.payload).toBe('new');
      expect(after.open(fresh, () => BINDING)?.payload).toBe('new');
      expect(after.open(old, () => BINDING)).toBeUndefined();
      expect(before.open(fresh, () => BINDING)).toBeUndefined();
    });

    it('open the tokens of another name that they had', () => {
      const token = sealerOf({ mode, keys: [OLD] }).seal('x', BINDING);
      const renamed = { id: 'renamed', secret: OLD.secret };
      expect(sealerOf({ mode, keys: [NEW, renamed] }).open(token, () => BINDING)?.payload).toBe('x');
      // The name went to another key.
      expect(sealerOf({ mode, keys: [{ ...NEW, id: OLD.id }, renamed] }).open(token, () => BINDING)?.payload).toBe('x');
    });

    it('open no token under a name that it was not sealed with', () => {
      const sealer = sealerOf({ mode, keys: [NEW, OLD] });
      const [, text] = sealer.seal('x', BINDING).split('.');
      expect(sealer.open(`2026-10.${text}`, () => BINDING)).toBeUndefined();
      expect(sealer.open(`unknown.${text}`, () => BINDING)).toBeUndefined();
    });

    it('open nothing with an equal name and another secret', () => {
      const token = sealerOf({ mode, keys: [OLD] }).seal('x', BINDING);
      expect(sealerOf({ mode, keys: [{ ...NEW, id: OLD.id }] }).open(token, () => BINDING)).toBeUndefined();
    });

    /** Which keys of the ring were tried, by how often. */
    function watchKeys(): () => number[] {
      const cipher = mode === 'encrypted' ? EncryptingCipher : SigningCipher;
      const spy = jest.spyOn(cipher.prototype, 'open');
      return () =>
        [...new Set(spy.mock.contexts)].map((key) => spy.mock.contexts.filter((used) => used === key).length);
    }

    const ring = [NEW, OLD, OTHER];
    const sealed = (): string => sealerOf({ mode, keys: ring }).seal('payload', BINDING);
    const faults: readonly (readonly [string, () => string])[] = [
      ['a changed body', () => rewrite(sealed(), (bytes) => bytes.fill(0, 30, 31))],
      ['a changed header', () => rewrite(sealed(), (bytes) => bytes.fill(9, 1, 4))],
      ['a body shorter than its seal', () => rewrite(sealed(), (bytes) => bytes.subarray(0, 22))],
      ['the name of another key', () => sealed().replace('2026-11', '2026-12')],
      ['a name that nobody has', () => sealed().replace('2026-11', 'nobody')],
      ['another key', () => sealerOf({ mode, keys: [keyOf('2026-10', 5)] }).seal('payload', BINDING)],
      ['a payload that is no text', () => forge({ mode, key: OLD, content: Buffer.from([0xff]) })],
      ['an issue in the future', () => forge({ mode, key: OTHER, header: { issuedAtMs: 5_001 } })],
      ['an end in the past', () => forge({ mode, key: NEW, header: { lifetimeMs: 1 } })],
    ];

    it.each(faults)('are all tried, once each, on a token with %s', (name, faulty) => {
      const clock = new ManualClock();
      clock.advance(name === 'an end in the past' ? 1 : 0);
      const sealer = sealerOf({ mode, keys: ring, clock });
      const token = faulty();
      const tried = watchKeys();
      expect(sealer.open(token, () => BINDING)).toBeUndefined();
      expect(tried()).toEqual([1, 1, 1]);
    });

    it('are all tried on a token for another principal', () => {
      const sealer = sealerOf({ mode, keys: ring });
      const tried = watchKeys();
      expect(sealer.open(sealed(), () => ({ ...BINDING, principal: 'eve' }))).toBeUndefined();
      expect(tried()).toEqual([1, 1, 1]);
    });

    it.each([0, 1, 2])('are all tried on a token without a known name, though key %d opens it', (place) => {
      const token = sealerOf({ mode, keys: [keyOf('former', 3)] }).seal('x', BINDING);
      const keys = ring.toSpliced(place, 1, { ...keyOf('former', 3), id: 'present' });
      const sealer = sealerOf({ mode, keys });
      const tried = watchKeys();
      expect(sealer.open(token, () => BINDING)?.payload).toBe('x');
      expect(tried()).toEqual([1, 1, 1]);
    });

    it('are not tried on an invalid token', () => {
      const sealer = sealerOf({ mode, keys: ring });
      const token = sealed();
      const tried = watchKeys();
      const [otherMode] = MODES.filter((name) => name !== mode) as [StateMode];
      const aliens = [
        ...[undefined, '', `${token}.`, `${token}=`, sealerOf({ mode: otherMode, keys: ring }).seal('x', BINDING)],
        token.replace('2026-11', 'x'.repeat(33)),
        ...[16_385, 16_386, 16_387, 16_388].map((length) => token.padEnd(length, 'A')),
      ];
      for (const alien of aliens) expect(sealer.open(alien, () => BINDING)).toBeUndefined();
      expect(tried()).toEqual([]);
      // One of these lengths is that of whole bytes.
      for (const length of [16_381, 16_382, 16_383, 16_384]) sealer.open(token.padEnd(length, 'A'), () => BINDING);
      expect(tried()[0]).toBeGreaterThan(0);
    });
  });
});

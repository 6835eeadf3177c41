import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';

import { InMemoryStateUseStore } from '../../../lib/request-state/in-memory-state-use.store.js';
import { StateSealer } from '../../../lib/request-state/state-sealer.js';
import { StateUseStore } from '../../../lib/request-state/state-use.store.js';
import { ManualClock } from '../../support/manual-clock.js';
import { BINDING, keyOf } from './sealing.js';

function storeWith(clock: ManualClock, maxEntries?: number): InMemoryStateUseStore {
  return new InMemoryStateUseStore(maxEntries === undefined ? {} : { maxEntries }, () => clock.now());
}

describe('used tokens in memory', () => {
  it('are those that were claimed before', async () => {
    const store = storeWith(new ManualClock());
    expect(await Promise.all([store.claim('a', 1_000), store.claim('a', 1_000), store.claim('b', 1_000)])).toEqual([
      true,
      false,
      true,
    ]);
    expect(await store.claim('a', 2_000)).toBe(false);
  });

  it('are removed when they have expired, and cannot be claimed again', async () => {
    const clock = new ManualClock();
    const store = storeWith(clock);
    await store.claim('a', 1_500);
    await store.claim('b', 60_000);
    clock.advance(1_500);
    expect(await store.claim('a', 1_500)).toBe(false);
    clock.advance(1_000);
    expect(await store.claim('a', 1_500)).toBe(false);
    expect(store.size).toBe(1);
    expect(await store.claim('b', 60_000)).toBe(false);
  });

  it('free their memory', async () => {
    const clock = new ManualClock();
    const store = storeWith(clock);
    const untouched = inspect(storeWith(clock), { depth: 1 }).replace(/Ms: \d+|Slot: \d+/g, '');
    for (let id = 0; id < 100; id += 1) {
      await store.claim(`${id}`, clock.now() + 700);
      clock.advance(650);
    }
    expect(store.size).toBeLessThan(4);
    clock.advance(10_000);
    await store.claim('late', 0);
    expect(inspect(store, { depth: 1 }).replace(/Ms: \d+|Slot: \d+/g, '')).toBe(untouched);
  });

  it('are not forgotten before they expire', async () => {
    const clock = new ManualClock();
    const store = storeWith(clock);
    await store.claim('a', 5_999);
    for (let ms = 0; ms < 5_999; ms += 1) {
      clock.advance(1);
      expect(await store.claim('a', 5_999)).toBe(false);
    }
  });

  it('stay used when the clock is set back', async () => {
    let now = 0;
    const store = new InMemoryStateUseStore({}, () => now);
    expect(await store.claim('a', 1_000)).toBe(true);
    now = 5_000;
    expect(await store.claim('b', 9_000)).toBe(true);
    now = 500;
    expect(await store.claim('a', 1_000)).toBe(false);
  });

  it('are bounded: with no room, further ones are refused and none is forgotten', async () => {
    const clock = new ManualClock();
    const store = storeWith(clock, 2);
    expect([await store.claim('a', 1_000), await store.claim('b', 3_000), await store.claim('c', 3_000)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await store.claim('a', 1_000), await store.claim('b', 3_000)]).toEqual([false, false]);
    clock.advance(1_000);
    expect([await store.claim('c', 3_000), await store.claim('d', 3_000)]).toEqual([true, false]);
    expect(store.size).toBe(2);
  });

  it('are 100,000 by default', async () => {
    const store = storeWith(new ManualClock());
    for (let id = 0; id < 100_000; id += 1) await store.claim(`${id}`, 1_000 + id);
    expect(store.size).toBe(100_000);
    expect(await store.claim('one more', 1_000)).toBe(false);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('cannot be %d at most', (maxEntries) => {
    expect(() => new InMemoryStateUseStore({ maxEntries })).toThrow(/"maxEntries".* must be a whole number from 1/);
  });

  it.each([Number.NaN, -1, 0])('are none that expire at %d', async (expiresAtMs) => {
    expect(await storeWith(new ManualClock()).claim('a', expiresAtMs)).toBe(false);
  });
});

describe('redeeming a token', () => {
  const clock = new ManualClock();
  const sealerWith = (useStore?: StateUseStore): StateSealer =>
    new StateSealer({ keys: [keyOf('a')], ...(useStore && { useStore }) }, () => clock.now());

  it('works once with a store, and opening it does not count', async () => {
    const sealer = sealerWith(storeWith(clock));
    const token = sealer.seal('x', BINDING);
    expect(sealer.open(token, () => BINDING)?.payload).toBe('x');
    expect((await sealer.redeem(token, () => BINDING))?.payload).toBe('x');
    expect(await sealer.redeem(token, () => BINDING)).toBeUndefined();
    expect((await sealer.redeem(sealer.seal('x', BINDING), () => BINDING))?.payload).toBe('x');
  });

  it('works once when it comes twice at the same time', async () => {
    const sealer = sealerWith(storeWith(clock));
    const token = sealer.seal('x', BINDING);
    const both = await Promise.all([sealer.redeem(token, () => BINDING), sealer.redeem(token, () => BINDING)]);
    expect(both.filter((opened) => opened !== undefined)).toHaveLength(1);
  });

  it('works as often as one likes without a store', async () => {
    const sealer = sealerWith();
    const token = sealer.seal('x', BINDING);
    expect(await sealer.redeem(token, () => BINDING)).toEqual(await sealer.redeem(token, () => BINDING));
  });

  it('claims nothing for a token that does not open', async () => {
    const store = storeWith(clock);
    const sealer = sealerWith(store);
    const token = sealer.seal('x', BINDING);
    expect(await sealer.redeem(token, () => ({ ...BINDING, principal: 'eve' }))).toBeUndefined();
    expect(await sealer.redeem('rubbish', () => BINDING)).toBeUndefined();
    expect(store.size).toBe(0);
    expect((await sealer.redeem(token, () => BINDING))?.payload).toBe('x');
  });

  it('hands the id and the end of the token to the store', async () => {
    const claims: unknown[][] = [];
    class RecordingStore extends StateUseStore {
      claim(...claim: [id: string, expiresAtMs: number]): Promise<boolean> {
        claims.push(claim);
        return Promise.resolve(true);
      }
    }
    const opened = await sealerWith(new RecordingStore()).redeem(sealerWith().seal('x', BINDING), () => BINDING);
    expect(claims).toEqual([[opened?.id, opened?.expiresAtMs]]);
  });

  it('fails with the store, without blaming the token', async () => {
    class DownStore extends StateUseStore {
      claim(): Promise<boolean> {
        return Promise.reject(new Error('the store is down'));
      }
    }
    const sealer = sealerWith(new DownStore());
    await expect(sealer.redeem(sealer.seal('x', BINDING), () => BINDING)).rejects.toThrow('the store is down');
  });
});

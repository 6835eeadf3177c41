import { describe, expect, it } from '@jest/globals';

import { InMemoryRateLimitStore } from '../../../lib/interceptors/in-memory-rate-limit.store.js';
import { ManualClock } from '../../support/manual-clock.js';

describe('the counts of rate limits in memory', () => {
  it('let through what fits into a window, and say how long the window lasts', () => {
    const clock = new ManualClock();
    const store = new InMemoryRateLimitStore({}, clock);
    expect(store.take('a', 2, 1_000)).toBe(0);
    clock.advance(400);
    expect([store.take('a', 2, 1_000), store.take('a', 2, 1_000)]).toEqual([0, 600]);
    clock.advance(599);
    expect(store.take('a', 2, 1_000)).toBe(1);
    clock.advance(1);
    expect([store.take('a', 2, 1_000), store.take('a', 2, 1_000), store.take('a', 2, 1_000)]).toEqual([0, 0, 1_000]);
  });

  it('are apart for each key', () => {
    const store = new InMemoryRateLimitStore({}, new ManualClock());
    store.take('a', 1, 1_000);
    expect([store.take('b', 1, 1_000), store.take('a', 1, 1_000)]).toEqual([0, 1_000]);
  });

  it('are bounded: further keys are refused until a window ends, and those that are counted are not affected', () => {
    const clock = new ManualClock();
    const store = new InMemoryRateLimitStore({ maxKeys: 2 }, clock);
    store.take('a', 2, 500);
    store.take('b', 2, 1_000);
    expect(store.take('c', 2, 1_000)).toBe(500);
    expect([store.take('a', 2, 500), store.take('b', 2, 1_000)]).toEqual([0, 0]);
    clock.advance(500);
    expect(store.take('c', 2, 1_000)).toBe(0);
    expect(store.take('d', 2, 1_000)).toBe(500);
    // Its window ended, but its place is taken.
    expect(store.take('a', 2, 500)).toBe(500);
    clock.advance(500);
    expect([store.take('d', 2, 1_000), store.take('a', 2, 500)]).toEqual([0, 500]);
  });

  it('hold 10,000 keys', () => {
    const store = new InMemoryRateLimitStore({}, new ManualClock());
    for (let key = 0; key < 10_000; key += 1) expect(store.take(`${key}`, 1, 1_000)).toBe(0);
    expect(store.take('one more', 1, 1_000)).toBe(1_000);
  });

  it('forget what has ended', () => {
    const clock = new ManualClock();
    const store = new InMemoryRateLimitStore({ maxKeys: 3 }, clock);
    for (let key = 0; key < 300; key += 1) {
      expect(store.take(`${key}`, 1, 30)).toBe(0);
      clock.advance(10);
    }
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuse to hold %d keys', (maxKeys) => {
    expect(() => new InMemoryRateLimitStore({ maxKeys })).toThrow(/"maxKeys" must be a whole number from 1/);
  });
});

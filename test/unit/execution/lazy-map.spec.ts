import { describe, expect, it } from '@jest/globals';

import { LazyMap } from '../../../lib/execution/job-keys.js';
import { countAlive } from './garbage.js';

describe('a lazy map', () => {
  it('contains entries that were set and not deleted', () => {
    const map = new LazyMap<{ n: number }>();
    map.set('a', { n: 1 });
    map.set('b', { n: 2 });
    map.delete('a');
    expect([map.get('a'), map.get('b'), map.size]).toEqual([undefined, { n: 2 }, 1]);
    expect([...map.values()]).toEqual([{ n: 2 }]);
    map.set('a', { n: 3 });
    expect([map.get('a'), map.size]).toEqual([{ n: 3 }, 2]);
  });

  it('counts correctly while many entries are set and deleted, before and after a cleanup', () => {
    const map = new LazyMap<{ n: number }>();
    for (let n = 0; n < 1_000; n += 1) {
      map.set(n, { n });
      if (n >= 100) map.delete(n - 100);
      expect(map.size).toBe(Math.min(n + 1, 100));
    }
    expect([...map.values()].map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, index) => 900 + index));
    for (let n = 900; n < 1_000; n += 1) map.delete(n);
    expect([map.size, [...map.values()]]).toEqual([0, []]);
  });

  it('keeps few deleted keys in memory', async () => {
    const map = new LazyMap<object>();
    const keys = Array.from({ length: 1_000 }, () => {
      const key = {};
      map.set(key, {});
      map.delete(key);
      return new WeakRef(key);
    });
    expect(await countAlive(keys)).toBeLessThan(100);
    expect(map.size).toBe(0);
  });
});

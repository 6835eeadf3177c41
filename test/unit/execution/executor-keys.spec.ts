import { describe, expect, it } from '@jest/globals';

import type { JobKey } from '../../../lib/execution/job.js';
import { Desk } from './desk.js';

const key: JobKey = { scope: 'one', id: 1 };

describe('a key', () => {
  it('is in use while its job runs or waits, and the refusal of a duplicate changes nothing', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a', { key });
    expect(desk.submit('b', { key: { ...key } })).toBe('duplicate-key');
    desk.submit('c', { key: { scope: 'one', id: 2 } });
    expect(desk.submit('d', { key: { scope: 'one', id: 2 } })).toBe('duplicate-key');
    expect(desk.submit('e', { key, lane: 'control' })).toBe('duplicate-key');
    expect(desk.news()).toEqual(['start a']);
    expect(desk.counts()).toEqual([1, 1, 0, 0]);
  });

  it('is free when its job finishes', () => {
    const desk = new Desk();
    desk.submit('a', { key });
    desk.finish('a');
    expect(desk.executor.cancel(key)).toBe(false);
    expect(desk.submit('b', { key })).toBe('taken');
  });

  it('is free while its cancelled job still has a place', () => {
    const desk = new Desk({ maxConcurrency: 2 });
    desk.submit('a', { key });
    expect(desk.executor.cancel(key)).toBe(true);
    expect(desk.executor.cancel(key)).toBe(false);
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
    expect(desk.submit('b', { key })).toBe('taken');
    expect(desk.news()).toEqual(['start a', 'stop a cancelled', 'start b']);
  });

  it('is already free inside stop', () => {
    const desk = new Desk();
    const again: string[] = [];
    desk.submit('a', { key, onStop: () => again.push(desk.submit('b', { key })) });
    desk.executor.cancel(key);
    expect(again).toEqual(['taken']);
  });

  it('stays with the new job when the old job settles late', () => {
    const desk = new Desk();
    desk.submit('a', { key });
    desk.executor.cancel(key);
    desk.submit('b', { key });
    desk.job('a').ticket?.finish();
    expect(desk.submit('c', { key })).toBe('duplicate-key');
    expect(desk.executor.cancel(key)).toBe(true);
    expect(desk.job('b').ended).toBe('cancelled');
  });

  it('is free when the deadline of its job passes', () => {
    const desk = new Desk();
    desk.submit('a', { key, timeoutMs: 10 });
    desk.clock.advance(10);
    expect(desk.submit('b', { key })).toBe('taken');
  });

  it.each<readonly [string, JobKey]>([
    ['another scope', { scope: 'two', id: 1 }],
    ['the id as a string', { scope: 'one', id: '1' }],
    ['the id as a bigint', { scope: 'one', id: 1n }],
    ['another id', { scope: 'one', id: 2 }],
  ])('differs from a key with %s', (_what, other) => {
    const desk = new Desk();
    desk.submit('a', { key });
    expect(desk.executor.cancel(other)).toBe(false);
    expect(desk.submit('b', { key: other })).toBe('taken');
    expect(desk.executor.cancel(other)).toBe(true);
    expect(desk.news()).toEqual(['start a', 'start b', 'stop b cancelled']);
  });

  it('has a scope that is compared by identity', () => {
    const desk = new Desk();
    const scope = {};
    desk.submit('a', { key: { scope, id: 'x' } });
    expect(desk.submit('b', { key: { scope: {}, id: 'x' } })).toBe('taken');
    expect(desk.submit('c', { key: { scope, id: 'x' } })).toBe('duplicate-key');
    expect(desk.submit('d', { key: { scope: undefined, id: 'x' } })).toBe('taken');
    expect(desk.submit('e', { key: { scope: undefined, id: 'x' } })).toBe('duplicate-key');
  });
});

describe('a cancelled job', () => {
  it('leaves the queue and is not started', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 1 });
    desk.submit('a');
    desk.submit('b', { key });
    desk.executor.cancel(key);
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
    expect(desk.submit('c')).toBe('taken');
    desk.finish('a');
    expect(desk.news()).toEqual(['start a', 'stop b cancelled', 'start c']);
  });

  it('is stopped once, by key or by ticket, and not after it finished', () => {
    const desk = new Desk();
    desk.submit('a', { key });
    desk.submit('b');
    desk.job('a').ticket?.cancel('owner-gone');
    desk.job('a').ticket?.cancel('cancelled');
    desk.finish('b');
    desk.job('b').ticket?.cancel('cancelled');
    expect(desk.news()).toEqual(['start a', 'start b', 'stop a owner-gone']);
  });

  it('frees its place when it settles inside stop', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a', { key, onStop: (ticket) => ticket?.finish() });
    desk.submit('b');
    desk.executor.cancel(key);
    expect(desk.news()).toEqual(['start a', 'stop a cancelled', 'start b']);
  });

  it('is still counted correctly when its stop throws', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    const onStop = (): never => {
      throw new TypeError('broken');
    };
    desk.submit('a', { key, onStop });
    expect(() => desk.executor.cancel(key)).toThrow('broken');
    desk.submit('b', { key });
    desk.clock.advance(5_000);
    expect(desk.counts()).toEqual([1, 0, 1, 0]);
    desk.job('a').ticket?.finish();
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
  });

  it('is found with its lane by its key until it is cancelled', () => {
    const desk = new Desk();
    desk.submit('a', { lane: 'stream', key: { scope: 1, id: 'a' } });
    expect([desk.executor.laneOf({ scope: 1, id: 'a' }), desk.executor.laneOf({ scope: 2, id: 'a' })]).toEqual([
      'stream',
      undefined,
    ]);
    desk.executor.cancel({ scope: 1, id: 'a' });
    expect(desk.executor.laneOf({ scope: 1, id: 'a' })).toBeUndefined();
  });
});

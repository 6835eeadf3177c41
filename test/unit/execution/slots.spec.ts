import { describe, expect, it } from '@jest/globals';

import { Executor } from '../../../lib/execution/executor.js';

describe('slots', () => {
  it('are given up to the limit, and again when one is released', () => {
    const slots = new Executor().slots('streams', 2);
    const first = slots.take();
    slots.take();
    expect(slots.take()).toBeUndefined();
    first?.release();
    expect(slots.held).toBe(1);
    expect(slots.take()).toBeDefined();
  });

  it('are released once', () => {
    const slots = new Executor().slots('streams', 3);
    const first = slots.take();
    slots.take();
    first?.release();
    first?.release();
    expect(slots.held).toBe(1);
  });

  it('are counted by name, with the limit of who asks', () => {
    const executor = new Executor();
    const few = executor.slots('streams', 1);
    const many = executor.slots('streams', 3);
    many.take();
    expect(few.take()).toBeUndefined();
    expect(many.take()).toBeDefined();
    expect(few.held).toBe(2);
    expect(executor.slots('other', 1).take()).toBeDefined();
    expect(executor.stats().slots).toEqual({ streams: 2, other: 1 });
  });

  it('do not depend on places, nor on other executors', () => {
    const executor = new Executor({ maxConcurrency: 1, maxQueue: 0 });
    executor.submit({ lane: 'work', owner: 1, timeoutMs: Infinity, start: () => {}, stop: () => {} });
    expect(executor.slots('streams', 1).take()).toBeDefined();
    expect(new Executor().slots('streams', 1).held).toBe(0);
  });

  it('leave no name behind', () => {
    const executor = new Executor();
    executor.slots('streams', 1).take()?.release();
    expect(executor.stats().slots).toEqual({});
  });

  it('may have any name', () => {
    const executor = new Executor();
    const slots = executor.slots('__proto__', 1);
    slots.take();
    expect(slots.take()).toBeUndefined();
    expect(Object.entries(executor.stats().slots)).toEqual([['__proto__', 1]]);
  });

  it.each([0, -1, 1.5, NaN, Infinity])('refuse the limit %p', (limit) => {
    expect(() => new Executor().slots('streams', limit)).toThrow('"slots.streams"');
  });
});

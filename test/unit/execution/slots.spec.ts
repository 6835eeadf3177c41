import { describe, expect, it } from '@jest/globals';

import { Executor } from '../../../lib/execution/executor.js';

describe('slots', () => {
  it('are assigned up to the limit, and again after a release', () => {
    const slots = new Executor().slots('streams', { limit: 2 });
    const first = slots.take();
    slots.take();
    expect(slots.take()).toBeUndefined();
    first?.release();
    expect(slots.held).toBe(1);
    expect(slots.take()).toBeDefined();
  });

  it('are assigned to one owner up to its share, and without a share to callers without an owner', () => {
    const slots = new Executor().slots('streams', { limit: 5, perOwner: 2 });
    const first = slots.take('ada');
    expect(slots.take('ada')).toBeDefined();
    expect(slots.take('ada')).toBeUndefined();
    for (let index = 0; index < 3; index += 1) expect(slots.take()).toBeDefined();
    expect(slots.take('ben')).toBeUndefined();
    first?.release();
    expect(slots.take('ben')).toBeDefined();
  });

  it('are partly reserved for identified owners, after the first identified owner', () => {
    const executor = new Executor();
    const slots = executor.slots('streams', { limit: 4 });
    for (let index = 0; index < 2; index += 1) slots.take(`n${index}`, true);
    executor.submit({
      lane: 'control',
      owner: 'ada',
      timeoutMs: 1,
      start: (ticket) => ticket.finish(),
      stop: () => {},
    });
    expect(slots.take('n2', true)).toBeDefined();
    expect(slots.take('n3', true)).toBeUndefined();
    expect(slots.take('ada')).toBeDefined();
  });

  it('are released once', () => {
    const slots = new Executor().slots('streams', { limit: 3 });
    const first = slots.take();
    slots.take();
    first?.release();
    first?.release();
    expect(slots.held).toBe(1);
  });

  it('share one count per name, and each object applies its own limit', () => {
    const executor = new Executor();
    const few = executor.slots('streams', { limit: 1 });
    const many = executor.slots('streams', { limit: 3 });
    many.take();
    expect(few.take()).toBeUndefined();
    expect(many.take()).toBeDefined();
    expect(few.held).toBe(2);
    expect(executor.slots('other', { limit: 1 }).take()).toBeDefined();
    expect(executor.stats().slots).toEqual({ streams: 2, other: 1 });
  });

  it('do not depend on places or on other executors', () => {
    const executor = new Executor({ maxConcurrency: 1, maxQueue: 0 });
    executor.submit({ lane: 'work', owner: 1, timeoutMs: Infinity, start: () => {}, stop: () => {} });
    expect(executor.slots('streams', { limit: 1 }).take()).toBeDefined();
    expect(new Executor().slots('streams', { limit: 1 }).held).toBe(0);
  });

  it('leave no entry in the statistics after the release', () => {
    const executor = new Executor();
    executor.slots('streams', { limit: 1 }).take()?.release();
    expect(executor.stats().slots).toEqual({});
  });

  it('may have any name', () => {
    const executor = new Executor();
    const slots = executor.slots('__proto__', { limit: 1 });
    slots.take();
    expect(slots.take()).toBeUndefined();
    expect(Object.entries(executor.stats().slots)).toEqual([['__proto__', 1]]);
  });

  it.each([0, -1, 1.5, NaN, Infinity])('refuse the limit %p', (limit) => {
    expect(() => new Executor().slots('streams', { limit })).toThrow('"slots.streams"');
  });
});

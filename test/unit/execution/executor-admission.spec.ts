import { describe, expect, it } from '@jest/globals';

import { Desk } from './desk.js';

describe('work', () => {
  it('starts inside submit while places are free, then is queued, and is refused when the queue is full', () => {
    const desk = new Desk({ maxConcurrency: 2, maxQueue: 2 });
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => desk.submit(name))).toEqual([
      ...['taken', 'taken', 'taken', 'taken'],
      'overloaded',
    ]);
    expect(desk.news()).toEqual(['start a', 'start b']);
    expect(desk.counts()).toEqual([2, 2, 0, 0]);
    desk.finish('b');
    desk.finish('a');
    expect(desk.news()).toEqual(['start c', 'start d']);
    desk.finish('c', 'd');
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('is refused at once when the queue has length 0', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 0 });
    desk.submit('a');
    expect(desk.submit('b')).toBe('overloaded');
    desk.finish('a');
    expect(desk.submit('c')).toBe('taken');
  });

  it('frees its place once, also when it finishes twice', () => {
    const desk = new Desk({ maxConcurrency: 2 });
    desk.submit('a');
    desk.submit('b');
    desk.finish('a', 'a');
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
  });

  it('may finish inside start, many times in a row', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 100_000 });
    desk.submit('first');
    for (let count = 0; count < 20_000; count += 1) {
      desk.submit(`job ${count}`, { onStart: (ticket) => ticket.finish() });
    }
    desk.finish('first');
    expect(desk.log).toHaveLength(20_001);
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('that is submitted inside another start does not overtake waiting jobs', () => {
    const desk = new Desk({ maxConcurrency: 2 });
    desk.submit('a');
    desk.submit('b');
    desk.submit('c', { onStart: () => desk.submit('late') });
    desk.submit('d');
    desk.finish('a');
    expect(desk.news()).toEqual(['start a', 'start b', 'start c']);
    desk.finish('b');
    expect(desk.news()).toEqual(['start d']);
    desk.finish('c');
    expect(desk.news()).toEqual(['start late']);
  });

  it('that finishes while it waits leaves the queue and is not started', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a');
    desk.submit('b', { key: { scope: 1, id: 1 } });
    desk.finish('b');
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
    expect(desk.submit('c', { key: { scope: 1, id: 1 } })).toBe('taken');
    desk.finish('a');
    expect(desk.news()).toEqual(['start a', 'start c']);
  });
});

describe.each(['control', 'stream'] as const)('the lane %s', (lane) => {
  it('starts at once and takes no place of work', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 0, maxPerOwner: 1 });
    desk.submit('work', { owner: 'x' });
    for (const name of ['a', 'b', 'c']) expect(desk.submit(name, { lane, owner: 'x' })).toBe('taken');
    expect(desk.news()).toEqual(['start work', 'start a', 'start b', 'start c']);
    expect(desk.counts()).toEqual([1, 0, 0, 1]);
    desk.finish('work', 'a', 'b', 'c');
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('is not refused because of abandoned work', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 0 });
    desk.submit('stuck', { timeoutMs: 10, owner: 'x' });
    desk.clock.advance(10_000);
    expect(desk.submit('work', { owner: 'x' })).toBe('overloaded');
    expect(desk.submit('other', { lane, owner: 'x' })).toBe('taken');
  });

  it('runs 32 jobs concurrently, 16 of one owner, and queues 256 jobs, 128 of one owner', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 1 });
    const submit = (owner: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => desk.submit(`${owner}${index}`, { lane, owner }));
    expect(submit('a', 145).filter((answer) => answer === 'taken')).toHaveLength(144);
    expect(desk.news()).toHaveLength(16);
    expect(submit('b', 144)).not.toContain('overloaded');
    expect(desk.news()).toHaveLength(16);
    expect(desk.executor.stats()).toMatchObject({ controlRunning: 32, controlQueued: 256, running: 0, queued: 0 });
    desk.finish('a0');
    expect(desk.news()).toEqual(['start a16']);
  });

  it('cancels jobs by key and deadline, abandons them later, and removes them when they settle', () => {
    const desk = new Desk();
    desk.submit('a', { lane, owner: 'x', key: { scope: 1, id: 'a' } });
    desk.submit('b', { lane, owner: 'x', timeoutMs: 50 });
    expect(desk.executor.cancel({ scope: 1, id: 'a' })).toBe(true);
    desk.clock.advance(50);
    expect(desk.news()).toEqual(['start a', 'start b', 'stop a cancelled', 'stop b deadline']);
    expect(desk.executor.stats().controlRunning).toBe(2);
    desk.clock.advance(100_000);
    expect(desk.executor.stats()).toMatchObject({ controlRunning: 0, abandoned: 2 });
    desk.job('a').ticket?.finish();
    desk.job('b').ticket?.finish();
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });
});

describe('a stream that opens', () => {
  it('has no place and no deadline after that, and is cancelled with its owner', () => {
    const desk = new Desk();
    for (let index = 0; index < 40; index += 1) {
      desk.submit(`s${index}`, { lane: 'stream', owner: 'x', timeoutMs: 50 });
      desk.job(`s${index}`).ticket?.open();
    }
    expect(desk.executor.stats()).toMatchObject({ controlRunning: 0, controlQueued: 0 });
    desk.clock.advance(1_000);
    desk.news();
    expect(desk.executor.cancelOwner('x')).toBe(40);
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('gives its place to the next waiting job', () => {
    const desk = new Desk();
    for (let index = 0; index < 17; index += 1) desk.submit(`s${index}`, { lane: 'stream', owner: 'x' });
    desk.news();
    desk.job('s3').ticket?.open();
    desk.job('s3').ticket?.open();
    expect(desk.news()).toEqual(['start s16']);
  });

  it('keeps its place when open is called after its deadline', () => {
    const desk = new Desk({ abandonAfterMs: 100 });
    for (let index = 0; index < 17; index += 1) desk.submit(`s${index}`, { lane: 'stream', owner: 'x', timeoutMs: 50 });
    desk.clock.advance(50);
    desk.job('s0').ticket?.open();
    expect(desk.executor.stats()).toMatchObject({ controlRunning: 16, controlQueued: 0 });
  });
});

describe('a start that throws', () => {
  const broken = (): never => {
    throw new TypeError('broken');
  };

  it('makes submit throw its error, and frees the place and the key', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    const key = { scope: 1, id: 1 };
    expect(() => desk.submit('a', { onStart: broken, key, owner: 'x' })).toThrow('broken');
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
    expect(desk.submit('b', { key })).toBe('taken');
    expect(desk.news()).toEqual(['start a', 'start b']);
  });

  it('stops a job that had waited with the error, and the next job starts', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a');
    desk.submit('b', { onStart: broken, key: { scope: 1, id: 1 } });
    desk.submit('c');
    desk.finish('a');
    expect(desk.news()).toEqual(['start a', 'start b', 'stop b closed', 'start c']);
    expect(desk.job('b').cause).toEqual(new TypeError('broken'));
    expect(desk.executor.cancel({ scope: 1, id: 1 })).toBe(false);
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
  });

  it('does not stop a job that has already ended', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a');
    desk.submit('b', {
      onStart: (ticket) => {
        ticket.finish();
        broken();
      },
    });
    desk.submit('c', {
      onStart: (ticket) => {
        ticket.cancel('cancelled');
        broken();
      },
    });
    desk.finish('a');
    expect(desk.news()).toEqual(['start a', 'start b', 'start c', 'stop c cancelled']);
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('does not block other jobs, even when stop throws, too', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a');
    desk.submit('b', { onStart: broken, onStop: broken });
    desk.submit('c');
    expect(() => desk.finish('a')).toThrow('broken');
    desk.submit('d');
    expect(desk.news()).toEqual(['start a', 'start b', 'stop b closed', 'start c']);
    desk.finish('c', 'd');
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });
});

describe('stats', () => {
  it('are a plain copy', () => {
    const desk = new Desk({ maxConcurrency: 3, maxQueue: 4 });
    const before = desk.executor.stats();
    desk.submit('a', { owner: 'x' });
    expect(before).toEqual({
      ...{ running: 0, queued: 0, controlRunning: 0, controlQueued: 0, abandoned: 0, owners: 0, slots: {} },
      ...{ maxConcurrency: 3, maxQueue: 4 },
    });
    expect(desk.executor.stats()).toMatchObject({ running: 1, owners: 1 });
  });
});

import { describe, expect, it } from '@jest/globals';

import type { ExecutorOptions } from '../../../lib/execution/executor-options.interface.js';
import { Desk } from './desk.js';

/** Submits in order; the owner of a job is the letter of its name, and `-` is nobody. */
function crowd(names: string, options: ExecutorOptions): Desk {
  const desk = new Desk(options);
  for (const name of names.split(' ')) desk.submit(name, { owner: name.startsWith('-') ? undefined : name.charAt(0) });
  return desk;
}

/** Finishes jobs in the order in which they started, and tells that order. */
function runAll(desk: Desk): string {
  const order = desk.news();
  for (let index = 0; index < order.length; index += 1) {
    desk.finish(order[index]?.replace('start ', '') ?? '');
    order.push(...desk.news());
  }
  return order.map((line) => line.replace('start ', '')).join(' ');
}

describe('owners', () => {
  it('take turns, and each is served in its own order', () => {
    const desk = crowd('x1 a1 a2 a3 b1 b2 c1', { maxConcurrency: 1 });
    expect(runAll(desk)).toBe('x1 a1 b1 c1 a2 b2 a3');
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('share their turns with nobody in particular as one of them', () => {
    const desk = crowd('x1 -1 -2 -3 a1 a2', { maxConcurrency: 1 });
    expect(runAll(desk)).toBe('x1 -1 a1 -2 a2 -3');
  });

  it('are compared as Map compares keys', () => {
    const desk = new Desk({ maxConcurrency: 8, maxPerOwner: 1 });
    for (const [index, owner] of [null, {}, {}, NaN, NaN, 0, '0'].entries()) desk.submit(`${index}`, { owner });
    expect(desk.news()).toEqual(['start 0', 'start 1', 'start 2', 'start 3', 'start 5', 'start 6']);
    expect(desk.counts()).toEqual([6, 1, 0, 6]);
  });

  it('do not run more than their share, though places are free', () => {
    const desk = crowd('a1 a2 a3 a4 b1', { maxConcurrency: 4, maxPerOwner: 2 });
    expect(desk.news()).toEqual(['start a1', 'start a2', 'start b1']);
    desk.finish('b1');
    expect(desk.news()).toEqual([]);
    desk.finish('a2');
    expect(desk.news()).toEqual(['start a3']);
  });

  it('have half of the places and half of the queue, unless told otherwise', () => {
    const names = Array.from({ length: 7 }, (_, index) => `a${index}`).join(' ');
    const desk = crowd(names, { maxConcurrency: 5, maxQueue: 5 });
    expect(desk.counts()).toEqual([3, 3, 0, 1]);
    const small = crowd('a1 a2 a3', { maxConcurrency: 1, maxQueue: 1 });
    expect(small.counts()).toEqual([1, 1, 0, 1]);
  });

  it('cannot fill the queue alone', () => {
    const desk = crowd('x1', { maxConcurrency: 1, maxQueue: 3, maxQueuedPerOwner: 2 });
    const answers = ['a1', 'a2', 'a3'].map((name) => desk.submit(name, { owner: 'a' }));
    expect(answers).toEqual(['taken', 'taken', 'overloaded']);
    expect(desk.submit('b1', { owner: 'b' })).toBe('taken');
    expect(desk.submit('c1', { owner: 'c' })).toBe('overloaded');
  });

  it('that are nobody have no share', () => {
    const desk = crowd('-1 -2 -3 -4', { maxConcurrency: 3, maxPerOwner: 1, maxQueuedPerOwner: 0 });
    expect(desk.news()).toEqual(['start -1', 'start -2', 'start -3']);
    expect(desk.counts()).toEqual([3, 1, 0, 0]);
  });

  it('keep their share taken by a job that was told to end, until it settles or is abandoned', () => {
    const desk = new Desk({ maxConcurrency: 4, maxPerOwner: 1, abandonAfterMs: 100 });
    desk.submit('a1', { owner: 'a', timeoutMs: 10 });
    desk.submit('a2', { owner: 'a' });
    desk.clock.advance(109);
    expect(desk.news()).toEqual(['start a1', 'stop a1 deadline']);
    desk.clock.advance(1);
    expect(desk.news()).toEqual(['start a2']);
  });

  it('are forgotten with their last job, however many come', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    for (let index = 0; index < 1_000; index += 1) {
      desk.submit('job', { owner: `owner ${index}`, key: { scope: index, id: index } });
      desk.submit('next', { owner: `next ${index}` });
      expect(desk.counts()).toEqual([1, 1, 0, 2]);
      desk.finish('job', 'next');
    }
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('are not remembered for a job that was refused', () => {
    const desk = crowd('a1 b1 c1', { maxConcurrency: 1, maxQueue: 0 });
    expect(desk.counts()).toEqual([1, 0, 0, 1]);
  });
});

describe('an owner that is gone', () => {
  it('takes all its jobs with it, of every lane, and none of them starts any more', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a1', { owner: 'a', onStop: (ticket) => ticket?.finish() });
    desk.submit('a2', { owner: 'a' });
    desk.submit('b1', { owner: 'b' });
    desk.submit('a3', { owner: 'a', lane: 'stream' });
    expect(desk.executor.cancelOwner('a')).toBe(3);
    const news = desk.news();
    expect(news.slice(0, 2)).toEqual(['start a1', 'start a3']);
    expect(news.slice(2, 5).toSorted()).toEqual(['stop a1 owner-gone', 'stop a2 owner-gone', 'stop a3 owner-gone']);
    expect(news.slice(5)).toEqual(['start b1']);
    expect(desk.counts()).toEqual([1, 0, 0, 1]);
  });

  it('counts what it ended, not what was ending', () => {
    const desk = new Desk();
    desk.submit('a1', { owner: 'a', timeoutMs: 10 });
    desk.submit('a2', { owner: 'a' });
    desk.clock.advance(10);
    expect(desk.executor.cancelOwner('a')).toBe(1);
    expect(desk.executor.cancelOwner('a')).toBe(0);
    expect(desk.executor.cancelOwner('unknown')).toBe(0);
  });

  it('is never nobody', () => {
    const desk = crowd('-1 -2', { maxConcurrency: 1 });
    expect(desk.executor.cancelOwner(undefined)).toBe(0);
    expect(desk.news()).toEqual(['start -1']);
  });

  it('takes all with it although one of them throws', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a1', { owner: 'a' });
    desk.submit('a2', {
      owner: 'a',
      onStop: () => {
        throw new TypeError('broken');
      },
    });
    desk.submit('a3', { owner: 'a' });
    expect(() => desk.executor.cancelOwner('a')).toThrow('broken');
    expect(desk.counts()).toEqual([1, 0, 0, 1]);
    expect(desk.job('a1').ended).toBe('owner-gone');
    expect(desk.job('a3').ended).toBe('owner-gone');
  });
});

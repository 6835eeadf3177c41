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
    expect(desk.submit('b2', { owner: 'b' })).toBe('overloaded');
  });

  it('that are nobody have no share', () => {
    const desk = crowd('-1 -2 -3 -4', { maxConcurrency: 3, maxPerOwner: 1, maxQueuedPerOwner: 0 });
    expect(desk.news()).toEqual(['start -1', 'start -2', 'start -3']);
    expect(desk.counts()).toEqual([3, 1, 0, 0]);
  });

  it('keep their share taken by a job that was told to end, until it settles', () => {
    const desk = new Desk({ maxConcurrency: 4, maxPerOwner: 1, abandonAfterMs: 100 });
    desk.submit('a1', { owner: 'a', timeoutMs: 10 });
    desk.submit('a2', { owner: 'a' });
    desk.clock.advance(109);
    expect(desk.news()).toEqual(['start a1', 'stop a1 deadline']);
    desk.clock.advance(1);
    expect(desk.counts()).toEqual([0, 1, 1, 1]);
    desk.job('a1').ticket?.finish();
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

describe('a full queue', () => {
  it('has room for an owner with less, at the cost of the newest job of whoever has most', () => {
    const desk = crowd('x1 a1 a2 a3 b1', { maxConcurrency: 1, maxQueue: 4, maxQueuedPerOwner: 3 });
    desk.news();
    expect(desk.submit('c1', { owner: 'c' })).toBe('taken');
    expect(desk.news()).toEqual(['stop a3 displaced']);
    expect(desk.submit('c2', { owner: 'c' })).toBe('overloaded');
    expect(desk.submit('d1', { owner: 'd' })).toBe('taken');
    expect(desk.news()).toEqual(['stop a2 displaced']);
    expect(desk.submit('e1', { owner: 'e' })).toBe('overloaded');
    expect(desk.counts()).toEqual([1, 4, 0, 5]);
  });

  it('has room for an owner with a name, at the cost of those without', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 2 });
    for (const name of ['x', 'y', 'z']) desk.submit(name, { owner: name, isAnonymous: true });
    expect(desk.submit('w', { owner: 'w', isAnonymous: true })).toBe('overloaded');
    expect(desk.submit('ada', { owner: 'ada' })).toBe('taken');
    expect(desk.submit('ben', { owner: 'ben' })).toBe('taken');
    expect(desk.news().slice(1).toSorted()).toEqual(['stop y displaced', 'stop z displaced']);
    expect(desk.submit('w', { owner: 'w', isAnonymous: true })).toBe('overloaded');
  });

  it('is not taken from an owner with a name by more and more connections', () => {
    const desk = crowd('x1 a1 a2 a3 a4', { maxConcurrency: 1, maxQueue: 4, maxQueuedPerOwner: 4 });
    const answers = ['n1', 'n2', 'n3'].map((name) => desk.submit(name, { owner: name, isAnonymous: true }));
    expect(answers).toEqual(['taken', 'taken', 'overloaded']);
  });

  it('keeps its bound and the newcomer, whatever the displaced job does', () => {
    const desk = crowd('x1', { maxConcurrency: 1, maxQueue: 2, maxQueuedPerOwner: 2 });
    desk.submit('a1', { owner: 'a' });
    desk.submit('a2', {
      owner: 'a',
      onStop: () => {
        expect(desk.submit('a3', { owner: 'a' })).toBe('overloaded');
        throw new TypeError('broken');
      },
    });
    expect(desk.submit('b1', { owner: 'b' })).toBe('taken');
    expect(desk.counts()).toEqual([1, 2, 0, 3]);
  });
});

describe('owners without a name', () => {
  it('have all places as long as nobody has a name, and leave a quarter free from then on', () => {
    const desk = new Desk({ maxConcurrency: 4, maxPerOwner: 1 });
    const connect = (name: string): void => void desk.submit(name, { owner: name, isAnonymous: true });
    for (const name of ['n1', 'n2', 'n3', 'n4', 'n5']) connect(name);
    expect(desk.counts()).toEqual([4, 1, 0, 5]);
    desk.submit('ada', { owner: 'ada' });
    desk.finish('n1', 'n2');
    expect(desk.news().slice(4)).toEqual(['start ada', 'start n5']);
    connect('n6');
    desk.finish('ada');
    expect(desk.counts()).toEqual([3, 1, 0, 4]);
    desk.submit('ben', { owner: 'ben' });
    expect(desk.news()).toEqual(['start ben']);
  });

  it('have one turn among those with a name, however many they are', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('x1', { owner: 'x' });
    for (const name of ['n1', 'n2', 'n3', 'n4']) desk.submit(name, { owner: name, isAnonymous: true });
    for (const name of ['a1', 'b1', 'a2', 'b2']) desk.submit(name, { owner: name.charAt(0) });
    expect(runAll(desk)).toBe('x1 n1 a1 b1 n2 a2 b2 n3 n4');
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
    desk.job('a3').ticket?.finish();
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

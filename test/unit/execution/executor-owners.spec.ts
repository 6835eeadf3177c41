import { describe, expect, it } from '@jest/globals';

import type { ExecutorOptions } from '../../../lib/execution/executor-options.interface.js';
import { Desk } from './desk.js';

/** Submits jobs in order. The owner of a job is the first letter of its name; `-` means no owner. */
function crowd(names: string, options: ExecutorOptions): Desk {
  const desk = new Desk(options);
  for (const name of names.split(' ')) desk.submit(name, { owner: name.startsWith('-') ? undefined : name.charAt(0) });
  return desk;
}

/** Finishes jobs in the order in which they started, and returns that order. */
function runAll(desk: Desk): string {
  const order = desk.news();
  for (let index = 0; index < order.length; index += 1) {
    desk.finish(order[index]?.replace('start ', '') ?? '');
    order.push(...desk.news());
  }
  return order.map((line) => line.replace('start ', '')).join(' ');
}

describe('owners', () => {
  it('take turns, and the jobs of each owner start in order', () => {
    const desk = crowd('x1 a1 a2 a3 b1 b2 c1', { maxConcurrency: 1 });
    expect(runAll(desk)).toBe('x1 a1 b1 c1 a2 b2 a3');
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('take turns with the jobs without an owner, which count as one owner', () => {
    const desk = crowd('x1 -1 -2 -3 a1 a2', { maxConcurrency: 1 });
    expect(runAll(desk)).toBe('x1 -1 a1 -2 a2 -3');
  });

  it('are compared like the keys of a Map', () => {
    const desk = new Desk({ maxConcurrency: 8, maxPerOwner: 1 });
    for (const [index, owner] of [null, {}, {}, NaN, NaN, 0, '0'].entries()) desk.submit(`${index}`, { owner });
    expect(desk.news()).toEqual(['start 0', 'start 1', 'start 2', 'start 3', 'start 5', 'start 6']);
    expect(desk.counts()).toEqual([6, 1, 0, 6]);
  });

  it('do not run more than their share, even when places are free', () => {
    const desk = crowd('a1 a2 a3 a4 b1', { maxConcurrency: 4, maxPerOwner: 2 });
    expect(desk.news()).toEqual(['start a1', 'start a2', 'start b1']);
    desk.finish('b1');
    expect(desk.news()).toEqual([]);
    desk.finish('a2');
    expect(desk.news()).toEqual(['start a3']);
  });

  it('have half of the places and half of the queue by default', () => {
    const names = Array.from({ length: 7 }, (_, index) => `a${index}`).join(' ');
    const desk = crowd(names, { maxConcurrency: 5, maxQueue: 5 });
    expect(desk.counts()).toEqual([3, 3, 0, 1]);
    const small = crowd('a1 a2 a3', { maxConcurrency: 1, maxQueue: 1 });
    expect(small.counts()).toEqual([1, 1, 0, 1]);
  });

  it('cannot fill the queue with the jobs of one owner', () => {
    const desk = crowd('x1', { maxConcurrency: 1, maxQueue: 3, maxQueuedPerOwner: 2 });
    const answers = ['a1', 'a2', 'a3'].map((name) => desk.submit(name, { owner: 'a' }));
    expect(answers).toEqual(['taken', 'taken', 'overloaded']);
    expect(desk.submit('b1', { owner: 'b' })).toBe('taken');
    expect(desk.submit('b2', { owner: 'b' })).toBe('overloaded');
  });

  it('do not limit jobs without an owner', () => {
    const desk = crowd('-1 -2 -3 -4', { maxConcurrency: 3, maxPerOwner: 1, maxQueuedPerOwner: 0 });
    expect(desk.news()).toEqual(['start -1', 'start -2', 'start -3']);
    expect(desk.counts()).toEqual([3, 1, 0, 0]);
  });

  it('count a stopped job in their share until it settles', () => {
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

  it('are removed with their last job, for any number of owners', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    for (let index = 0; index < 1_000; index += 1) {
      desk.submit('job', { owner: `owner ${index}`, key: { scope: index, id: index } });
      desk.submit('next', { owner: `next ${index}` });
      expect(desk.counts()).toEqual([1, 1, 0, 2]);
      desk.finish('job', 'next');
    }
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('are not kept for a refused job', () => {
    const desk = crowd('a1 b1 c1', { maxConcurrency: 1, maxQueue: 0 });
    expect(desk.counts()).toEqual([1, 0, 0, 1]);
  });
});

describe('a full queue', () => {
  it('displaces the newest job of the owner with the most jobs for an owner with fewer jobs', () => {
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

  it('displaces jobs of anonymous owners for an identified owner', () => {
    const desk = new Desk({ maxConcurrency: 1, maxQueue: 2 });
    for (const name of ['x', 'y', 'z']) desk.submit(name, { owner: name, isAnonymous: true });
    expect(desk.submit('w', { owner: 'w', isAnonymous: true })).toBe('overloaded');
    expect(desk.submit('ada', { owner: 'ada' })).toBe('taken');
    expect(desk.submit('ben', { owner: 'ben' })).toBe('taken');
    expect(desk.news().slice(1).toSorted()).toEqual(['stop y displaced', 'stop z displaced']);
    expect(desk.submit('w', { owner: 'w', isAnonymous: true })).toBe('overloaded');
  });

  it('keeps half of its length for an identified owner when many anonymous owners come', () => {
    const desk = crowd('x1 a1 a2 a3 a4', { maxConcurrency: 1, maxQueue: 4, maxQueuedPerOwner: 4 });
    const answers = ['n1', 'n2', 'n3'].map((name) => desk.submit(name, { owner: name, isAnonymous: true }));
    expect(answers).toEqual(['taken', 'taken', 'overloaded']);
  });

  it('keeps its limit and the new job, also when the displaced job submits and throws', () => {
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

describe('anonymous owners', () => {
  it('use all places until an identified owner comes, and then leave a quarter free', () => {
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

  it('have one turn together among the identified owners', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('x1', { owner: 'x' });
    for (const name of ['n1', 'n2', 'n3', 'n4']) desk.submit(name, { owner: name, isAnonymous: true });
    for (const name of ['a1', 'b1', 'a2', 'b2']) desk.submit(name, { owner: name.charAt(0) });
    expect(runAll(desk)).toBe('x1 n1 a1 b1 n2 a2 b2 n3 n4');
  });
});

describe('the cancellation of an owner', () => {
  it('ends all jobs of the owner in every lane, and starts none of them', () => {
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

  it('counts the jobs that it ended, and not jobs that were already ending', () => {
    const desk = new Desk();
    desk.submit('a1', { owner: 'a', timeoutMs: 10 });
    desk.submit('a2', { owner: 'a' });
    desk.clock.advance(10);
    expect(desk.executor.cancelOwner('a')).toBe(1);
    expect(desk.executor.cancelOwner('a')).toBe(0);
    expect(desk.executor.cancelOwner('unknown')).toBe(0);
  });

  it('does not end jobs without an owner', () => {
    const desk = crowd('-1 -2', { maxConcurrency: 1 });
    expect(desk.executor.cancelOwner(undefined)).toBe(0);
    expect(desk.news()).toEqual(['start -1']);
  });

  it('ends all jobs even when stop of one job throws', () => {
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

import { describe, expect, it } from '@jest/globals';

import { Desk } from './desk.js';

describe('a deadline', () => {
  it('ends a running job, and a waiting job, which is then not started', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a', { timeoutMs: 100 });
    desk.submit('b', { timeoutMs: 50 });
    desk.clock.advance(49);
    expect(desk.news()).toEqual(['start a']);
    desk.clock.advance(1);
    expect(desk.news()).toEqual(['stop b deadline']);
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
    desk.clock.advance(50);
    desk.job('a').ticket?.finish();
    expect(desk.news()).toEqual(['stop a deadline']);
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('includes the waiting time of a job', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a');
    desk.submit('b', { timeoutMs: 100 });
    desk.clock.advance(60);
    desk.finish('a');
    desk.clock.advance(39);
    expect(desk.news()).toEqual(['start a', 'start b']);
    desk.clock.advance(1);
    expect(desk.news()).toEqual(['stop b deadline']);
  });

  it('applies to a waiting job even when the timer is late', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a');
    desk.submit('b', { timeoutMs: 100 });
    desk.submit('c');
    desk.clock.stall(500);
    desk.finish('a');
    expect(desk.news()).toEqual(['start a', 'stop b deadline', 'start c']);
  });

  it('does not stop a job that has finished', () => {
    const desk = new Desk();
    desk.submit('a', { timeoutMs: 100 });
    desk.finish('a');
    desk.clock.advance(1_000);
    expect(desk.news()).toEqual(['start a']);
  });

  it('ends all due jobs before the next job starts', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a', { timeoutMs: 10, onStop: (ticket) => ticket?.finish() });
    desk.submit('b', { timeoutMs: 10 });
    desk.submit('c');
    desk.clock.advance(10);
    const news = desk.news();
    expect(news.slice(1, 3).toSorted()).toEqual(['stop a deadline', 'stop b deadline']);
    expect(news.slice(3)).toEqual(['start c']);
  });

  it('ends the other jobs when stop of one job throws', () => {
    const desk = new Desk({ maxConcurrency: 3 });
    const onStop = (): never => {
      throw new TypeError('broken');
    };
    desk.submit('a', { timeoutMs: 10, onStop });
    desk.submit('b', { timeoutMs: 10 });
    desk.submit('c', { timeoutMs: 20 });
    expect(() => desk.clock.advance(10)).toThrow('broken');
    desk.clock.advance(20);
    expect(desk.news().slice(3)).toEqual(['stop a deadline', 'stop b deadline', 'stop c deadline']);
  });
});

describe('the timer', () => {
  it('is shared by all jobs, and is set again only for an earlier deadline', () => {
    const desk = new Desk();
    for (let index = 0; index < 100; index += 1) {
      desk.submit('job', { timeoutMs: 30_000 });
      desk.clock.stall(1);
      desk.finish('job');
    }
    expect(desk.clock.delays).toEqual([30_000]);
    desk.submit('sooner', { timeoutMs: 5 });
    expect(desk.clock.delays).toEqual([30_000, 5]);
    expect(desk.clock.pending).toBe(1);
  });

  it('is set again for the earliest remaining deadline', () => {
    const desk = new Desk();
    desk.submit('gone', { timeoutMs: 100 });
    desk.submit('b', { timeoutMs: 300 });
    desk.submit('c', { timeoutMs: 200 });
    desk.finish('gone');
    desk.clock.advance(100);
    expect(desk.clock.delays).toEqual([100, 100]);
    desk.clock.advance(99);
    expect(desk.news().slice(3)).toEqual([]);
    desk.clock.advance(101);
    expect(desk.news()).toEqual(['stop c deadline', 'stop b deadline']);
  });

  it('is not set for jobs without a deadline, and is not set again when no deadline remains', () => {
    const desk = new Desk();
    desk.submit('a', { timeoutMs: Infinity });
    expect(desk.clock.delays).toEqual([]);
    desk.submit('b', { timeoutMs: 10 });
    desk.finish('b');
    desk.clock.advance(10);
    expect(desk.clock.pending).toBe(0);
  });

  it('waits in steps for a deadline beyond the maximum of a timer', () => {
    const desk = new Desk();
    const far = 2 ** 31 + 10;
    desk.submit('a', { timeoutMs: far });
    expect(desk.clock.delays).toEqual([2 ** 31 - 1]);
    desk.clock.advance(far - 1);
    expect(desk.news()).toEqual(['start a']);
    desk.clock.advance(1);
    expect(desk.news()).toEqual(['stop a deadline']);
  });
});

describe('a job that does not settle', () => {
  it('loses its place after a delay, and counts as abandoned until it settles', () => {
    const desk = new Desk({ maxConcurrency: 1, abandonAfterMs: 100 });
    desk.submit('a', { timeoutMs: 10, owner: 'x' });
    desk.submit('b', { owner: 'y' });
    desk.clock.advance(109);
    expect(desk.counts()).toEqual([1, 1, 0, 2]);
    desk.clock.advance(1);
    expect(desk.news()).toEqual(['start a', 'stop a deadline', 'start b']);
    expect(desk.counts()).toEqual([1, 0, 1, 2]);
    desk.job('a').ticket?.finish();
    desk.job('a').ticket?.finish();
    expect(desk.counts()).toEqual([1, 0, 0, 1]);
  });

  it('is abandoned after five seconds by default', () => {
    const desk = new Desk();
    desk.submit('a', { key: { scope: 1, id: 1 } });
    desk.executor.cancel({ scope: 1, id: 1 });
    desk.clock.advance(4_999);
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
    desk.clock.advance(1);
    expect(desk.counts()).toEqual([0, 0, 1, 0]);
  });

  it('can be abandoned without delay', () => {
    const desk = new Desk({ abandonAfterMs: 0 });
    desk.submit('a', { timeoutMs: 10 });
    desk.clock.advance(10);
    expect(desk.counts()).toEqual([0, 0, 1, 0]);
  });

  it('keeps its place when too many jobs are abandoned, until one of them settles', () => {
    const desk = new Desk({ maxConcurrency: 3, abandonAfterMs: 100, maxAbandoned: 2 });
    for (const name of ['a', 'b', 'c', 'd'])
      desk.submit(name, { timeoutMs: name === 'd' ? Infinity : 10, owner: name });
    desk.clock.advance(110);
    expect(desk.counts()).toEqual([2, 0, 2, 4]);
    desk.submit('e', { owner: 'e' });
    desk.submit('f', { owner: 'f' });
    desk.news();
    desk.job('a').ticket?.finish();
    expect(desk.news()).toEqual(['start f']);
    expect(desk.counts()).toEqual([3, 0, 2, 5]);
    desk.finish('b', 'c');
    expect(desk.counts()).toEqual([3, 0, 0, 3]);
  });

  it('reduces the places of its owner, who is refused when no place remains', () => {
    const desk = new Desk({ maxConcurrency: 4, maxPerOwner: 2, abandonAfterMs: 100, maxAbandoned: 8 });
    for (const name of ['a1', 'a2', 'a3']) desk.submit(name, { owner: 'a', timeoutMs: name === 'a1' ? 10 : Infinity });
    desk.clock.advance(110);
    expect(desk.news()).toEqual(['start a1', 'start a2', 'stop a1 deadline']);
    desk.executor.cancelOwner('a');
    desk.clock.advance(100);
    expect(desk.counts()).toEqual([0, 0, 2, 1]);
    expect(desk.submit('a4', { owner: 'a' })).toBe('overloaded');
    expect(desk.submit('b1', { owner: 'b' })).toBe('taken');
    desk.job('a1').ticket?.finish();
    expect(desk.submit('a4', { owner: 'a' })).toBe('taken');
  });

  it('is abandoned only while its owner has less than half of the allowed abandoned jobs', () => {
    const desk = new Desk({ maxConcurrency: 8, maxPerOwner: 8, abandonAfterMs: 0, maxAbandoned: 4 });
    for (let index = 0; index < 8; index += 1) desk.submit(`a${index}`, { owner: 'a', timeoutMs: 10 });
    desk.clock.advance(10);
    expect(desk.counts()).toEqual([6, 0, 2, 1]);
    for (let index = 0; index < 2; index += 1) desk.submit(`b${index}`, { owner: 'b', timeoutMs: 10 });
    desk.clock.advance(10);
    expect(desk.counts()).toEqual([6, 0, 4, 2]);
  });
});

import { describe, expect, it } from '@jest/globals';

import { Desk } from './desk.js';

describe('a closed executor', () => {
  it('ends all waiting and running jobs', () => {
    const desk = new Desk({ maxConcurrency: 1 });
    desk.submit('a', { onStop: (ticket) => ticket?.finish() });
    desk.submit('b', { owner: 'x' });
    desk.submit('c', { lane: 'stream' });
    desk.executor.close();
    const news = desk.news();
    expect(news.slice(0, 2)).toEqual(['start a', 'start c']);
    expect(news.slice(2).toSorted()).toEqual(['stop a closed', 'stop b closed', 'stop c closed']);
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it.each(['work', 'control', 'stream'] as const)('refuses the lane %s', (lane) => {
    const desk = new Desk();
    desk.executor.close();
    expect(desk.submit('a', { lane })).toBe('closed');
    expect(desk.news()).toEqual([]);
  });

  it('refuses a job that is submitted inside stop', () => {
    const desk = new Desk();
    const answers: string[] = [];
    desk.submit('a', { onStop: () => answers.push(desk.submit('b')) });
    desk.executor.close();
    expect(answers).toEqual(['closed']);
  });

  it('leaves no timer, abandons no job, and still counts a job until it settles', () => {
    const desk = new Desk();
    desk.submit('a', { timeoutMs: 1_000 });
    desk.executor.close();
    expect(desk.clock.pending).toBe(0);
    desk.clock.advance(100_000);
    expect(desk.counts()).toEqual([1, 0, 0, 0]);
    desk.job('a').ticket?.finish();
    expect(desk.counts()).toEqual([0, 0, 0, 0]);
  });

  it('may be closed again', () => {
    const desk = new Desk();
    desk.submit('a');
    desk.executor.close();
    desk.executor.close();
    expect(desk.news()).toEqual(['start a', 'stop a closed']);
  });

  it('refuses new slots, and accepts the release of slots', () => {
    const desk = new Desk();
    const slots = desk.executor.slots('streams', { limit: 2 });
    const slot = slots.take();
    desk.executor.close();
    expect(slots.take()).toBeUndefined();
    slot?.release();
    expect(slots.held).toBe(0);
  });
});

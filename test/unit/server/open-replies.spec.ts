import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { OpenReplies, type OpenReply } from '../../../lib/server/open-replies.js';

class Reply implements OpenReply {
  dismissed = 0;
  destroyed = 0;

  constructor(private readonly replies: OpenReplies) {}

  dismiss(): void {
    this.dismissed += 1;
  }

  destroy(): void {
    this.destroyed += 1;
    this.replies.delete(this);
  }
}

function drained(replies: OpenReplies, timeoutMs: number): { done: boolean } {
  const state = { done: false };
  const wait = async (): Promise<void> => {
    await replies.drain(timeoutMs);
    state.done = true;
  };
  void wait();
  return state;
}

describe('OpenReplies', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is stopping only once it was stopped', () => {
    const replies = new OpenReplies();
    expect(replies.stopping).toBe(false);
    replies.stop();
    expect(replies.stopping).toBe(true);
  });

  it('waits for nothing when nothing is open', async () => {
    const state = drained(new OpenReplies(), 1_000);
    await jest.advanceTimersByTimeAsync(0);
    expect(state.done).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits for the last answer, and keeps no timer', async () => {
    const replies = new OpenReplies();
    const [first, second] = [new Reply(replies), new Reply(replies)];
    replies.add(first);
    replies.add(second);
    const state = drained(replies, 1_000);
    replies.delete(first);
    await jest.advanceTimersByTimeAsync(500);
    expect([state.done, replies.size]).toEqual([false, 1]);
    replies.delete(second);
    await jest.advanceTimersByTimeAsync(0);
    expect([state.done, second.destroyed, jest.getTimerCount()]).toEqual([true, 0, 0]);
  });

  it('dismisses late answers, and destroys those that do not end', async () => {
    const replies = new OpenReplies();
    const [deaf, polite] = [new Reply(replies), new Reply(replies)];
    replies.add(deaf);
    replies.add(polite);
    const state = drained(replies, 1_000);
    await jest.advanceTimersByTimeAsync(999);
    expect([state.done, deaf.dismissed]).toEqual([false, 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect([state.done, deaf.dismissed, polite.dismissed, deaf.destroyed]).toEqual([false, 1, 1, 0]);
    replies.delete(polite);
    await jest.advanceTimersByTimeAsync(249);
    expect([state.done, deaf.destroyed]).toEqual([false, 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect([state.done, deaf.destroyed, polite.destroyed, replies.size]).toEqual([true, 1, 0, 0]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is done as soon as the dismissed have gone', async () => {
    const replies = new OpenReplies();
    const reply = new Reply(replies);
    replies.add(reply);
    const state = drained(replies, 1_000);
    await jest.advanceTimersByTimeAsync(1_000);
    replies.delete(reply);
    await jest.advanceTimersByTimeAsync(0);
    expect([state.done, reply.destroyed, jest.getTimerCount()]).toEqual([true, 0, 0]);
  });

  it('gives an answer that begins during the wait the remaining time', async () => {
    const replies = new OpenReplies();
    drained(replies, 1_000);
    await jest.advanceTimersByTimeAsync(400);
    const [late, quick] = [new Reply(replies), new Reply(replies)];
    replies.add(late);
    replies.add(quick);
    replies.delete(quick);
    await jest.advanceTimersByTimeAsync(599);
    expect(late.dismissed).toBe(0);
    await jest.advanceTimersByTimeAsync(2);
    expect([late.dismissed, late.destroyed]).toEqual([1, 0]);
    await jest.advanceTimersByTimeAsync(250);
    expect([late.destroyed, quick.dismissed, quick.destroyed]).toEqual([1, 0, 0]);
  });

  it('can be drained twice at the same time', async () => {
    const replies = new OpenReplies();
    const reply = new Reply(replies);
    replies.add(reply);
    const states = [drained(replies, 1_000), drained(replies, 1_000)];
    replies.delete(reply);
    await jest.advanceTimersByTimeAsync(0);
    expect([states.map(({ done }) => done), jest.getTimerCount()]).toEqual([[true, true], 0]);
  });
});

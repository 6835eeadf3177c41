import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { OpenReplies, type OpenReply } from '../../../../lib/transports/node-http/open-replies.js';

class Reply implements OpenReply {
  destroyed = 0;

  constructor(private readonly replies: OpenReplies) {}

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

  it('waits for the last one, and leaves no timer', async () => {
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

  it('cuts off what is late', async () => {
    const replies = new OpenReplies();
    const reply = new Reply(replies);
    replies.add(reply);
    const state = drained(replies, 1_000);
    await jest.advanceTimersByTimeAsync(999);
    expect([state.done, reply.destroyed]).toEqual([false, 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect([state.done, reply.destroyed, replies.size]).toEqual([true, 1, 0]);
  });

  it('gives one that comes after the wait what is left of the time', async () => {
    const replies = new OpenReplies();
    drained(replies, 1_000);
    await jest.advanceTimersByTimeAsync(400);
    const [late, quick] = [new Reply(replies), new Reply(replies)];
    replies.add(late);
    replies.add(quick);
    replies.delete(quick);
    await jest.advanceTimersByTimeAsync(599);
    expect(late.destroyed).toBe(0);
    await jest.advanceTimersByTimeAsync(2);
    expect([late.destroyed, quick.destroyed]).toEqual([1, 0]);
  });
});

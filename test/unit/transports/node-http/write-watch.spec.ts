import type { ServerResponse } from 'node:http';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { WriteWatch } from '../../../../lib/transports/node-http/reply-room.js';

/** An answer of which the operating system has taken some bytes. */
class Answer {
  readonly handle = { writeQueueSize: 1_000 };
  readonly socket = { bytesWritten: 1_000, writableLength: 1_000, _handle: this.handle };
  private readonly response = { writableLength: 1_000, socket: this.socket };
  gone = 0;

  get raw(): ServerResponse {
    return this.response as unknown as ServerResponse;
  }

  /** All of it has been taken. */
  drain(): void {
    this.response.writableLength = 0;
  }

  disconnect(): void {
    this.gone += 1;
  }
}

describe('WriteWatch', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([100, 5_000, 60_000])(
    'lets go after %i milliseconds without progress, and at most a tenth later',
    (timeoutMs) => {
      const watch = new WriteWatch(timeoutMs);
      const answer = new Answer();
      watch.add(answer);
      jest.advanceTimersByTime(timeoutMs - 1);
      expect(answer.gone).toBe(0);
      jest.advanceTimersByTime(1 + timeoutMs / 10);
      expect([answer.gone, jest.getTimerCount()]).toEqual([1, 0]);
    },
  );

  it('counts each piece of one large write as progress', () => {
    const watch = new WriteWatch(1_000);
    const answer = new Answer();
    watch.add(answer);
    for (let left = 900; left > 0; left -= 100) {
      answer.handle.writeQueueSize = left;
      jest.advanceTimersByTime(900);
    }
    expect(answer.gone).toBe(0);
    jest.advanceTimersByTime(200);
    expect(answer.gone).toBe(1);
  });

  it('takes bytes that only join those that wait for none', () => {
    const watch = new WriteWatch(1_000);
    const answer = new Answer();
    watch.add(answer);
    jest.advanceTimersByTime(900);
    answer.socket.bytesWritten += 50;
    answer.socket.writableLength += 50;
    jest.advanceTimersByTime(200);
    expect(answer.gone).toBe(1);
  });

  it('does not count time without pending bytes, and keeps no timer', () => {
    const watch = new WriteWatch(1_000);
    const answer = new Answer();
    answer.drain();
    watch.add(answer);
    jest.advanceTimersByTime(10_000);
    expect(answer.gone).toBe(0);
    watch.delete(answer);
    jest.advanceTimersByTime(100);
    expect(jest.getTimerCount()).toBe(0);
  });
});

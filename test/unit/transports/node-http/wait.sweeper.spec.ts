import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';

import { WaitSweeper, type Wait } from '../../../../lib/transports/node-http/reply-room.js';

interface Named extends Wait {
  readonly name: string;
  isOver?: boolean;
}

const named = (name: string): Named => ({ name, since: 0 });

function setUp(limitMs: number, onExpire: (name: string) => void = () => undefined) {
  const expired: string[] = [];
  const looked: string[] = [];
  const sweeper = new WaitSweeper<Named>(limitMs, {
    isOver: ({ name, isOver }) => {
      looked.push(name);
      return isOver === true;
    },
    expire: ({ name }) => {
      expired.push(name);
      onExpire(name);
    },
  });
  return { sweeper, expired, looked };
}

describe('WaitSweeper', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('ends each wait when its time is up, not before, with one timer', () => {
    const { sweeper, expired } = setUp(1_000);
    sweeper.add(named('a'));
    jest.advanceTimersByTime(400);
    sweeper.add(named('b'));
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(599);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(expired).toEqual(['a']);
    jest.advanceTimersByTime(400);
    expect([expired, jest.getTimerCount()]).toEqual([['a', 'b'], 0]);
  });

  it('forgets entries that were removed or are over, before their time', () => {
    const { sweeper, expired, looked } = setUp(60_000);
    const [taken, over] = [named('taken'), named('over')];
    sweeper.add(taken);
    sweeper.add(over);
    sweeper.delete(taken);
    over.isOver = true;
    jest.advanceTimersByTime(250);
    expect([looked, jest.getTimerCount()]).toEqual([['over'], 0]);
    jest.advanceTimersByTime(120_000);
    expect(expired).toEqual([]);
  });

  it('holds short times too, and starts anew once it has stopped', () => {
    const { sweeper, expired } = setUp(20);
    for (const name of ['a', 'b']) {
      sweeper.add(named(name));
      jest.advanceTimersByTime(20);
    }
    expect([expired, jest.getTimerCount()]).toEqual([['a', 'b'], 0]);
  });

  it('does nothing without a limit', () => {
    const { sweeper } = setUp(Infinity);
    sweeper.add(named('a'));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('continues when an entry cannot be ended', () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { sweeper, expired } = setUp(100, (name) => {
      if (name === 'a') throw new Error('not this one');
    });
    sweeper.add(named('a'));
    sweeper.add(named('b'));
    jest.advanceTimersByTime(100);
    expect([expired, logged.mock.calls.length]).toEqual([['a', 'b'], 1]);
    logged.mockRestore();
  });

  it('ends nothing in the context of another request', () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { sweeper } = setUp(100, () => void seen.push(storage.getStore()));
    storage.run('first request', () => sweeper.add(named('a')));
    storage.run('second request', () => sweeper.add(named('b')));
    jest.advanceTimersByTime(100);
    expect(seen).toEqual([undefined, undefined]);
  });
});

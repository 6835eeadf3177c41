import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable, of, Subject } from 'rxjs';

import { collectEmissions, isEmitting, type EmissionTarget } from '../../../lib/dispatch/events/emissions.js';
import { progress, type CallEvent } from '../../../lib/model/event.js';

class Target implements EmissionTarget {
  readonly events: CallEvent[] = [];
  readonly controller = new AbortController();
  running = true;

  constructor(private readonly broken = false) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  emit(event: CallEvent): Promise<void> {
    if (this.broken) return Promise.reject(new TypeError('broken'));
    this.events.push(event);
    return Promise.resolve();
  }

  cancel(): void {
    this.running = false;
    this.controller.abort();
  }
}

async function* generator(): AsyncGenerator {
  yield 1;
}

describe('what emits', () => {
  it.each([
    ['an Observable', of(1), true],
    ['an async generator', generator(), true],
    [
      'a generator',
      (function* numbers(): Generator {
        yield 1;
      })(),
      true,
    ],
    ['a list', [1], false],
    ['the iterator of a list', [1].values(), false],
    ['a promise', Promise.resolve(1), false],
    ['an object that only iterates', { [Symbol.asyncIterator]: () => generator() }, false],
    ['a string', 'a', false],
    ['null', null, false],
  ])('%s: %p', (_what, value, expected) => {
    expect(isEmitting(value)).toBe(expected);
  });
});

describe('an Observable of a handler', () => {
  it('is left when the call is cancelled', async () => {
    let left = false;
    const source = new Observable(() => () => {
      left = true;
    });
    const target = new Target();
    const collected = collectEmissions(source, target);
    target.cancel();
    expect(await collected).toBeUndefined();
    expect(left).toBe(true);
  });

  it('is not waited for when the call was cancelled before', async () => {
    const target = new Target();
    target.cancel();
    expect(await collectEmissions(NEVER, target)).toBeUndefined();
  });

  it('is left when an event cannot be sent', async () => {
    const source = new Subject<unknown>();
    const collected = collectEmissions(source, new Target(true));
    source.next(progress(1));
    await expect(collected).rejects.toThrow('broken');
    expect(source.observed).toBe(false);
  });

  it('leaves no listener behind', async () => {
    const target = new Target();
    let listeners = 0;
    const { signal } = target;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    const source = new Subject<unknown>();
    const collected = collectEmissions(source, target);
    expect(listeners).toBe(1);
    source.next('last');
    source.complete();
    expect(await collected).toBe('last');
    expect(listeners).toBe(0);
  });
});

describe('a generator of a handler', () => {
  it('emits without being async, and its last value counts', async () => {
    const target = new Target();
    function* source(): Generator {
      yield progress(1);
      yield 'last';
    }
    expect(await collectEmissions(source(), target)).toBe('last');
    expect(target.events).toEqual([progress(1)]);
  });
});

describe('an async generator of a handler', () => {
  it('is returned when the call is cancelled, without its next step', async () => {
    const steps: string[] = [];
    const target = new Target();
    async function* source(): AsyncGenerator {
      try {
        steps.push('first');
        yield progress(1);
        steps.push('second');
      } finally {
        steps.push('finally');
      }
    }
    target.running = false;
    expect(await collectEmissions(source(), target)).toBeUndefined();
    expect(steps).toEqual(['first', 'finally']);
  });

  it('is returned when an event cannot be sent', async () => {
    let ended = false;
    async function* source(): AsyncGenerator {
      try {
        yield progress(1);
      } finally {
        ended = true;
      }
    }
    await expect(collectEmissions(source(), new Target(true))).rejects.toThrow('broken');
    expect(ended).toBe(true);
  });
});

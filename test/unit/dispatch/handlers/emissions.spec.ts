import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable, of, range, Subject } from 'rxjs';

import { collectEmissions, isEmitting, type EmissionTarget } from '../../../../lib/dispatch/handlers/handler.run.js';
import { progress, type CallEvent } from '../../../../lib/model/event.js';

class Target implements EmissionTarget {
  readonly events: CallEvent[] = [];
  readonly controller = new AbortController();
  running = true;

  readonly complaints: unknown[] = [];

  constructor(
    private readonly broken = false,
    readonly timeoutMs = Infinity,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  emit(event: CallEvent): Promise<void> {
    if (this.broken) return Promise.reject(new TypeError('broken'));
    this.events.push(event);
    return Promise.resolve();
  }

  post(event: CallEvent, reject: (cause: unknown) => void): void {
    if (this.broken) reject(new TypeError('broken'));
    else this.events.push(event);
  }

  reportError(error: unknown): void {
    this.complaints.push(error);
  }

  cancel(): void {
    this.running = false;
    this.controller.abort();
  }
}

async function* generator(): AsyncGenerator {
  yield 1;
}

describe('isEmitting', () => {
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
  ])('%s is a source of values: %p', (_what, value, expected) => {
    expect(isEmitting(value)).toBe(expected);
  });
});

describe('an Observable of a handler', () => {
  it('is unsubscribed when the call is cancelled', async () => {
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

  it('is not awaited when the call was cancelled before', async () => {
    const target = new Target();
    target.cancel();
    expect(await collectEmissions(NEVER, target)).toBeUndefined();
  });

  it('is unsubscribed when an event cannot be sent', async () => {
    const source = new Subject<unknown>();
    const collected = collectEmissions(source, new Target(true));
    source.next(progress(1));
    await expect(collected).rejects.toThrow('broken');
    expect(source.observed).toBe(false);
  });

  it('leaves no listener on the signal', async () => {
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

describe('an error at the end of an Observable of a handler', () => {
  const broken = (): never => {
    throw new Error('teardown');
  };

  it.each([
    ['at once', (run: () => void): void => run()],
    ['later', (run: () => void): void => void setImmediate(run)],
  ])('is reported, and does not change the result: %s', async (_when, schedule) => {
    const target = new Target();
    const source = new Observable((subscriber) => {
      subscriber.next('last');
      schedule(() => subscriber.complete());
      return broken;
    });
    expect(await collectEmissions(source, target)).toBe('last');
    expect(target.complaints).toEqual([new Error('teardown')]);
  });

  it('is reported when the call is cancelled, or when an event cannot be sent', async () => {
    const [cancelled, refusing] = [new Target(), new Target(true)];
    const collected = collectEmissions(new Observable(() => broken), cancelled);
    cancelled.cancel();
    expect(await collected).toBeUndefined();
    const source = new Observable((subscriber) => {
      setImmediate(() => subscriber.next(progress(1)));
      return broken;
    });
    await expect(collectEmissions(source, refusing)).rejects.toThrow('broken');
    expect([cancelled.complaints, refusing.complaints]).toEqual([[new Error('teardown')], [new Error('teardown')]]);
  });

  it('is reported for rejected promises that are replaced by a later value', async () => {
    const target = new Target();
    const source = of(Promise.reject(new Error('first')), Promise.reject(new Error('last')));
    await expect(collectEmissions(source, target)).rejects.toThrow('last');
    expect(target.complaints).toEqual([new Error('first')]);
  });
});

describe('an Observable of a handler that never ends', () => {
  /** Returns a later time at every call. */
  const clock = (): (() => number) => {
    let time = 0;
    return () => (time += 10);
  };

  it.each([
    ['checks whether a subscriber is active', range(0, Infinity)],
    [
      'does not check whether a subscriber is active',
      new Observable((subscriber) => {
        for (;;) subscriber.next('x');
      }),
    ],
  ])('is unsubscribed when its time is over, and then the call ends: the source %s', async (_how, source) => {
    const target = new Target(false, 100);
    const collected = collectEmissions(source, target, clock());
    target.cancel();
    expect(await collected).toBeUndefined();
    expect(target.complaints).toEqual([]);
  });
});

describe('a generator of a handler', () => {
  it('emits events without being async, and its last value is the result', async () => {
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
  it('does not block the event loop, so that the call can be cancelled', async () => {
    const target = new Target();
    const ended: string[] = [];
    async function* source(): AsyncGenerator {
      try {
        for (;;) yield 'x';
      } finally {
        ended.push('finally');
      }
    }
    setImmediate(() => target.cancel());
    expect(await collectEmissions(source(), target)).toBeUndefined();
    expect(ended).toEqual(['finally']);
  });

  it.each([
    ['when the call is cancelled', new Target(), undefined],
    ['when an event cannot be sent', new Target(true), 'broken'],
  ])('may throw at its end, and the error is reported: %s', async (_when, target, expected) => {
    async function* source(): AsyncGenerator {
      try {
        yield progress(1);
      } finally {
        await Promise.reject(new Error('finally'));
      }
    }
    if (expected === undefined) target.running = false;
    const outcome = await collectEmissions(source(), target).catch((error: Error) => error.message);
    expect(outcome).toBe(expected);
    expect(target.complaints).toEqual([new Error('finally')]);
  });

  it('is ended when the call is cancelled, without its next step', async () => {
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

  it('is ended when an event cannot be sent', async () => {
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

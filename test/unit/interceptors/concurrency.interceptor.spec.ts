import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import type { CallHandler } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { defer, from, mergeAll, of, throwError } from 'rxjs';

import { ConcurrencyInterceptor, ConcurrencyOptions } from '../../../lib/interceptors/concurrency.interceptor.js';
import { TooManyCallsError } from '../../../lib/interceptors/too-many-calls.error.js';
import { contextOf, HeldHandler, outcomeOf, QuickHandler, routeContext, type CallParts } from './limited-calls.js';

interface Started {
  readonly handler: HeldHandler;
  readonly outcome: Promise<unknown>;
}

function starter(options: ConcurrencyOptions): (parts?: CallParts) => Started {
  const interceptor = new ConcurrencyInterceptor(options);
  return (parts = {}) => {
    const handler = new HeldHandler();
    return { handler, outcome: outcomeOf(() => interceptor.intercept(contextOf(parts), handler)) };
  };
}

/** Promises that are settled have told so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const runs = (...started: readonly Started[]): readonly number[] => started.map(({ handler }) => handler.runs);

describe('a bound on calls at the same time', () => {
  it('limits running and queued calls, and refuses further calls', async () => {
    const start = starter({ maxConcurrency: 2, maxQueue: 1 });
    const all = [start(), start(), start()];
    const refused = (await start().outcome) as TooManyCallsError;
    expect(refused).toBeInstanceOf(TooManyCallsError);
    expect([refused.message, refused.retryAfterMs]).toEqual(['Too many calls are running. Try again in 1 s.', 1_000]);
    await settled();
    expect(runs(...all)).toEqual([1, 1, 0]);
    all[1]?.handler.end.open('second');
    expect(await all[1]?.outcome).toBe('second');
    expect(runs(...all)).toEqual([1, 1, 1]);
    all[0]?.handler.end.open('first');
    all[2]?.handler.end.open('third');
    expect([await all[0]?.outcome, await all[2]?.outcome]).toEqual(['first', 'third']);
  });

  it('aborts the signal when an outer interceptor unsubscribes, and keeps the place until the method settles', async () => {
    const interceptor = new ConcurrencyInterceptor({ maxQueue: 0 });
    let abandoned = 0;
    const context = contextOf({ onAbandon: () => (abandoned += 1) });
    const [first, second, third] = [new HeldHandler(), new QuickHandler(), new QuickHandler()];
    interceptor.intercept(context, first).subscribe().unsubscribe();
    expect(abandoned).toBe(1);
    expect(await outcomeOf(() => interceptor.intercept(context, second))).toBeInstanceOf(TooManyCallsError);
    first.end.open('done');
    await settled();
    expect(await outcomeOf(() => interceptor.intercept(context, third))).toBe('done');
    expect(abandoned).toBe(1);
  });

  it('is one call, with 16 that wait', async () => {
    const start = starter({});
    const all = Array.from({ length: 17 }, () => start());
    expect(await start().outcome).toBeInstanceOf(TooManyCallsError);
    expect(runs(...all)).toEqual([1, ...Array.from({ length: 16 }, () => 0)]);
    for (const { handler, outcome } of all) {
      handler.end.open('done');
      expect(await outcome).toBe('done');
    }
  });

  it('answers with an error with data if the component is not a tool', async () => {
    const start = starter({ maxQueue: 0 });
    start({ kind: 'prompt' });
    expect(await start({ kind: 'prompt' }).outcome).toMatchObject({ rpcCode: 429, data: { retryAfterMs: 1_000 } });
  });

  it('is apart for each component and each server', async () => {
    const start = starter({ maxQueue: 0 });
    const all = [start(), start({ name: 'find' }), start({ server: 'admin' })];
    await settled();
    expect(runs(...all)).toEqual([1, 1, 1]);
  });

  it('takes turns by caller', async () => {
    const start = starter({ maxConcurrency: 1 });
    const first = start({ auth: 'ada' });
    const order: string[] = [];
    const rest = ['ada', 'ada', 'bob'].map(async (auth) => {
      const { handler, outcome } = start({ auth });
      handler.end.open(auth);
      order.push(String(await outcome));
    });
    first.handler.end.open('done');
    await Promise.all(rest);
    // In the order of arrival he would come last.
    expect(order.indexOf('bob')).toBeLessThan(2);
  });

  it('forgets a call that ends while it waits, and gives its place in the queue to the next', async () => {
    const start = starter({ maxConcurrency: 1, maxQueue: 1 });
    const first = start();
    const leaving = new AbortController();
    const left = start({ signal: leaving.signal });
    const reason = new Error('gone');
    leaving.abort(reason);
    expect(await left.outcome).toBe(reason);
    const next = start();
    first.handler.end.open('done');
    await first.outcome;
    expect(runs(left, next)).toEqual([0, 1]);
  });

  it('does not queue a call that has ended before', async () => {
    const start = starter({ maxConcurrency: 1, maxQueue: 1 });
    start();
    const reason = new Error('gone');
    expect(await start({ signal: AbortSignal.abort(reason) }).outcome).toBe(reason);
  });

  it('is about methods: one that ignores the end of its call keeps its place', async () => {
    const start = starter({ maxConcurrency: 1, maxQueue: 0 });
    const leaving = new AbortController();
    const deaf = start({ signal: leaving.signal });
    await settled();
    leaving.abort();
    expect(await start().outcome).toBeInstanceOf(TooManyCallsError);
    deaf.handler.end.open('at last');
    await deaf.outcome;
    const next = start();
    await settled();
    expect(runs(next)).toEqual([1]);
  });

  it('keeps the place of a method whose call was answered by another interceptor', async () => {
    const interceptor = new ConcurrencyInterceptor({ maxQueue: 0 });
    const handler = new HeldHandler();
    const subscription = interceptor.intercept(contextOf(), handler).subscribe();
    subscription.unsubscribe();
    const call = (): Promise<unknown> => outcomeOf(() => interceptor.intercept(contextOf(), new QuickHandler()));
    expect(await call()).toBeInstanceOf(TooManyCallsError);
    handler.end.open('done');
    await settled();
    expect(await call()).toBe('done');
  });

  it('leaves the queue when the caller unsubscribes', async () => {
    const interceptor = new ConcurrencyInterceptor({ maxQueue: 1 });
    const first = new HeldHandler();
    const waiting = new HeldHandler();
    const running = outcomeOf(() => interceptor.intercept(contextOf(), first));
    await settled();
    interceptor.intercept(contextOf(), waiting).subscribe().unsubscribe();
    first.end.open('done');
    await running;
    expect(waiting.runs).toBe(0);
  });

  it('passes errors on, and frees the place', async () => {
    const interceptor = new ConcurrencyInterceptor({ maxQueue: 0 });
    const failing: CallHandler = { handle: () => throwError(() => new Error('broken')) };
    const call = (next: CallHandler): Promise<unknown> => outcomeOf(() => interceptor.intercept(contextOf(), next));
    expect(await call(failing)).toEqual(new Error('broken'));
    expect(await call(new QuickHandler())).toBe('done');
  });

  it('runs each call in its own async context, for every way in which a place became free', async () => {
    const callers = new AsyncLocalStorage<string>();
    const interceptor = new ConcurrencyInterceptor({});
    const seen: unknown[] = [];
    const first = new HeldHandler();
    // As Nest makes handlers of calls.
    const next: CallHandler = {
      handle: () =>
        defer(
          AsyncResource.bind(() => {
            seen.push(callers.getStore());
            return from([of('done')]);
          }),
        ).pipe(mergeAll()),
    };
    const running = callers.run('ada', () => outcomeOf(() => interceptor.intercept(contextOf(), first)));
    const waiting = callers.run('bob', () => outcomeOf(() => interceptor.intercept(contextOf(), next)));
    await settled();
    callers.run('eve', () => first.end.open('done'));
    await Promise.all([running, waiting]);
    expect(seen).toEqual(['bob']);
  });

  it('lets routes pass', async () => {
    const interceptor = new ConcurrencyInterceptor({ maxQueue: 0 });
    const held = outcomeOf(() => interceptor.intercept(routeContext, new HeldHandler()));
    expect(await outcomeOf(() => interceptor.intercept(routeContext, new QuickHandler()))).toBe('done');
    expect(held).toBeInstanceOf(Promise);
  });

  it.each([{ maxConcurrency: 0 }, { maxConcurrency: Infinity }, { maxQueue: -1 }])('refuses %j', (options) => {
    expect(() => new ConcurrencyInterceptor(options)).toThrow(/must be a whole number/);
  });

  it('takes options that the app provides', async () => {
    const module = await Test.createTestingModule({
      providers: [ConcurrencyInterceptor, { provide: ConcurrencyOptions, useValue: { maxQueue: 0 } }],
    }).compile();
    const interceptor = module.get(ConcurrencyInterceptor);
    void outcomeOf(() => interceptor.intercept(contextOf(), new HeldHandler()));
    await settled();
    const second = outcomeOf(() => interceptor.intercept(contextOf(), new QuickHandler()));
    expect(await second).toBeInstanceOf(TooManyCallsError);
  });
});

import { describe, expect, it } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { Test } from '@nestjs/testing';

import { McpProtocolError } from '../../../lib/errors/mcp-protocol.error.js';
import { InMemoryRateLimitStore } from '../../../lib/interceptors/in-memory-rate-limit.store.js';
import { RateLimitInterceptor } from '../../../lib/interceptors/rate-limit.interceptor.js';
import { RateLimitOptions } from '../../../lib/interceptors/rate-limit-options.js';
import { RateLimitStore } from '../../../lib/interceptors/rate-limit.store.js';
import { TooManyCallsError } from '../../../lib/interceptors/too-many-calls.error.js';
import { ManualClock } from '../../support/manual-clock.js';
import { contextOf, outcomeOf, QuickHandler, routeContext, type CallParts } from './limited-calls.js';

/** Calls, and tells what became of them. */
function limited(options: RateLimitOptions, store: RateLimitStore = new InMemoryRateLimitStore({}, new ManualClock())) {
  const interceptor = new RateLimitInterceptor(options, store);
  return (parts: CallParts = {}): Promise<unknown> =>
    outcomeOf(() => interceptor.intercept(contextOf(parts), new QuickHandler()));
}

describe('a rate limit', () => {
  it('refuses calls beyond it without running them, and returns the time until the next', async () => {
    const clock = new ManualClock();
    const interceptor = new RateLimitInterceptor({ limit: 1 }, new InMemoryRateLimitStore({}, clock));
    const handler = new QuickHandler();
    const call = (): Promise<unknown> => outcomeOf(() => interceptor.intercept(contextOf(), handler));
    expect(await call()).toBe('done');
    clock.advance(47_500);
    const refusal = (await call()) as TooManyCallsError;
    expect(refusal).toBeInstanceOf(HttpException);
    expect([refusal.getStatus(), refusal.message, refusal.retryAfterMs]).toEqual([
      ...[429, 'Too many calls. Try again in 13 s.', 12_500],
    ]);
    expect(handler.runs).toBe(1);
    clock.advance(12_500);
    expect(await call()).toBe('done');
  });

  it('is 60 calls a minute', async () => {
    const call = limited({});
    for (let count = 0; count < 60; count += 1) expect(await call()).toBe('done');
    expect(await call()).toMatchObject({ retryAfterMs: 60_000 });
  });

  it.each(['prompt', 'resource'] as const)('answers with an error that carries data where it is a %s', async (kind) => {
    const call = limited({ limit: 1 });
    await call({ kind });
    const refusal = await call({ kind });
    expect(refusal).toBeInstanceOf(McpProtocolError);
    expect(refusal).toMatchObject({ rpcCode: 429, data: { retryAfterMs: 60_000 } });
  });

  it.each([
    ['callers', { auth: { sub: 'ada' } }, { auth: { sub: 'bob' } }],
    ['names that look like numbers', { auth: 1 }, { auth: '1' }],
    ['addresses', { request: { ip: '10.0.0.1' } }, { request: { ip: '10.0.0.2' } }],
    ['networks', { address: '2001:db8:1::1' }, { address: '2001:db8:2::1' }],
    ['a name that looks like an address', { auth: '\u0000address 10.0.0.1' }, { address: '10.0.0.1' }],
    ['a name and an address', { auth: '10.0.0.1' }, { request: { ip: '10.0.0.1' } }],
    ['components', { name: 'search' }, { name: 'find' }],
    ['kinds', { kind: 'tool', name: 'x' }, { kind: 'prompt', name: 'x' }],
    ['servers', { server: 'default' }, { server: 'admin' }],
  ] as [string, CallParts, CallParts][])('counts apart for different %s', async (_what, one, other) => {
    const call = limited({ limit: 1 });
    expect([await call(one), await call(other)]).toEqual(['done', 'done']);
    expect([await call(one), await call(other)]).toEqual([expect.any(Error), expect.any(Error)]);
  });

  it('counts anonymous callers together, on all connections', async () => {
    const call = limited({ limit: 1 });
    expect([await call(), await call()]).toEqual(['done', expect.any(Error)]);
  });

  it('counts addresses that one client can choose from together', async () => {
    for (const addresses of [
      ['10.0.0.1', '::ffff:10.0.0.1'],
      ['2001:db8::1', '2001:db8::2'],
    ]) {
      const call = limited({ limit: 1 });
      const [one, other] = addresses;
      expect([await call({ address: one }), await call({ address: other })]).toEqual(['done', expect.any(Error)]);
    }
  });

  it("uses the app's key of a caller, and refuses the call if that fails", async () => {
    const team = limited({ limit: 1, by: (context) => context.getComponent().name.slice(0, 1) });
    expect([await team({ auth: 'ada' }), await team({ auth: 'bob' })]).toEqual(['done', expect.any(Error)]);
    const broken = new Error('no team');
    const failing = limited({
      by: () => {
        throw broken;
      },
    });
    expect(await failing()).toBe(broken);
  });

  it('may be one of several in one store', async () => {
    const store = new InMemoryRateLimitStore({}, new ManualClock());
    const short = limited({ limit: 2, windowMs: 1_000 }, store);
    const long = limited({ limit: 1, windowMs: 60_000 }, store);
    expect([await short(), await long(), await short()]).toEqual(['done', 'done', 'done']);
    expect(await long()).toMatchObject({ retryAfterMs: 60_000 });
  });

  it('waits for its store, and refuses the call if that fails', async () => {
    const waits = [Promise.resolve(0), Promise.resolve(1.5), Promise.reject(new Error('gone'))];
    waits.at(-1)?.catch(() => undefined);
    const keys: string[] = [];
    const call = limited(
      {},
      {
        take(key) {
          keys.push(key);
          return waits[keys.length - 1] ?? 0;
        },
      },
    );
    const outcomes = [await call({ auth: 'ada' }), await call(), await call()];
    expect(outcomes).toEqual(['done', expect.objectContaining({ retryAfterMs: 2 }), new Error('gone')]);
    expect(keys[0]).toBe('["default","tool","search",60000,"ada"]');
  });

  it.each(['setHeader', 'header'])('also sets HTTP headers, by %s, unless the head was sent', async (method) => {
    const set: unknown[] = [];
    const call = limited({ limit: 1 });
    const response = { [method]: (...header: unknown[]) => void set.push(header) };
    await call({ response });
    await call({ response });
    expect(set).toEqual([['Retry-After', '60']]);
    const late = {
      [method]: () => {
        throw new Error('sent');
      },
    };
    expect(await call({ response: late })).toBeInstanceOf(TooManyCallsError);
  });

  it('lets routes pass', async () => {
    const interceptor = new RateLimitInterceptor({ limit: 1 });
    const call = (): Promise<unknown> => outcomeOf(() => interceptor.intercept(routeContext, new QuickHandler()));
    expect([await call(), await call()]).toEqual(['done', 'done']);
  });

  it.each([{ limit: 0 }, { limit: 1.5 }, { windowMs: 0 }, { windowMs: Infinity }])('refuses %j', (options) => {
    expect(() => new RateLimitInterceptor(options)).toThrow(/must be a whole number from 1/);
  });

  it('uses the options that the app provides, or the defaults', async () => {
    const keys: string[] = [];
    const store: RateLimitStore = { take: (key) => keys.push(key) };
    const provided = await Test.createTestingModule({
      providers: [
        RateLimitInterceptor,
        { provide: RateLimitOptions, useValue: { windowMs: 5 } },
        { provide: RateLimitStore, useValue: store },
      ],
    }).compile();
    await outcomeOf(() => provided.get(RateLimitInterceptor).intercept(contextOf(), new QuickHandler()));
    expect(keys).toEqual(['["default","tool","search",5,"\\u0000unknown"]']);
    const bare = await Test.createTestingModule({ providers: [RateLimitInterceptor] }).compile();
    const call = (): Promise<unknown> =>
      outcomeOf(() => bare.get(RateLimitInterceptor).intercept(contextOf(), new QuickHandler()));
    expect(await call()).toBe('done');
  });
});

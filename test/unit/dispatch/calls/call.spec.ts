import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { Call } from '../../../../lib/dispatch/calls/call.js';
import { CallInterruption } from '../../../../lib/dispatch/calls/call-interruption.js';
import type { CallEvent, LogLevel } from '../../../../lib/model/event.js';
import type { OperationRequest } from '../../../../lib/model/operation.js';

interface Asked {
  readonly token?: string | number;
  readonly level?: LogLevel;
}

function callOf({ token, level }: Asked, events: CallEvent[] = []): Call {
  const request = {
    operation: { kind: 'discover' },
    id: 1,
    client: { capabilities: {}, protocolVersion: '2026-07-28', ...(level === undefined ? {} : { logLevel: level }) },
    meta: {},
    caller: { auth: () => undefined },
    ...(token === undefined ? {} : { progressToken: token }),
  } as OperationRequest;
  return new Call(
    request,
    { host: { owner: 'Desk.work' } } as never,
    {},
    {
      started: () => undefined,
      opened: () => undefined,
      send: (event, written) => {
        events.push(event as CallEvent);
        written();
      },
    },
  );
}

function captureWarnings(): { readonly warnings: unknown[]; readonly restore: () => void } {
  const warnings: unknown[] = [];
  const spy = jest
    .spyOn(Logger.prototype, 'warn')
    .mockImplementation((message: unknown) => void warnings.push(message));
  return { warnings, restore: () => spy.mockRestore() };
}

describe('progress of a call', () => {
  it('is dropped when it does not increase', async () => {
    const events: CallEvent[] = [];
    const { context } = callOf({ token: 0 }, events);
    for (const done of [-1, 1, 1, 0.5, 2, 2.5, -5]) await context.progress(done);
    expect(events).toMatchObject([{ progress: -1 }, { progress: 1 }, { progress: 2 }, { progress: 2.5 }]);
  });

  it('is not sent without a token, or after the end of the call', async () => {
    const events: CallEvent[] = [];
    await callOf({}, events).context.progress(1);
    const over = callOf({ token: 't' }, events);
    over.finish();
    await over.context.progress(1);
    expect(events).toEqual([]);
  });

  it('is reduced to the last update after a thousand updates', async () => {
    const events: CallEvent[] = [];
    const call = callOf({ token: 't' }, events);
    const { warnings, restore } = captureWarnings();
    for (let done = 1; done <= 1_010; done += 1) await call.context.progress(done);
    restore();
    expect(events).toHaveLength(999);
    await call.settled();
    expect(events).toHaveLength(1_000);
    expect(events.at(-1)).toMatchObject({ progress: 1_010 });
    expect(warnings).toEqual([expect.stringContaining('Desk.work reported progress more than 1000 times')]);
  });

  it('does not cause an unhandled rejection when the handler does not await an invalid update', async () => {
    let unhandled = 0;
    const count = (): void => void (unhandled += 1);
    process.on('unhandledRejection', count);
    void callOf({ token: 't' }).context.progress(Number.NaN);
    void callOf({ level: 'info' }).context.log('loud' as LogLevel, 'x');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', count);
    expect(unhandled).toBe(0);
  });

  it.each([
    [Number.NaN, undefined, undefined],
    [Number.POSITIVE_INFINITY, undefined, undefined],
    ['1' as never, undefined, undefined],
    [1, Number.NaN, undefined],
    [1, 2, 5 as never],
    [1, 2, 'ä'.repeat(2_049)],
  ])(
    'is refused with a TypeError, with and without a token: %p, %p, %p',
    async (...update: [number, number?, string?]) => {
      await expect(callOf({ token: 't' }).context.progress(...update)).rejects.toThrow(TypeError);
      await expect(callOf({}).context.progress(...update)).rejects.toThrow(TypeError);
    },
  );
});

describe('log messages of a call', () => {
  it('are sent from the requested level upwards', async () => {
    const events: CallEvent[] = [];
    const { context } = callOf({ level: 'warning' }, events);
    for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'emergency'] as const)
      await context.log(level, level);
    expect(events).toMatchObject([{ level: 'warning' }, { level: 'error' }, { level: 'emergency' }]);
    await callOf({}, events).context.log('emergency', 'nobody asked');
    expect(events).toHaveLength(3);
  });

  it('need a known level', async () => {
    await expect(callOf({}).context.log('loud' as LogLevel, 'a')).rejects.toThrow(/debug, info/);
  });
});

describe('the end of a call', () => {
  it('aborts the signal only when the call is cancelled, also when the signal is read later', () => {
    const cancelled = callOf({});
    const { signal } = cancelled.context;
    cancelled.cancel('client-gone');
    expect(signal.aborted).toBe(true);
    const late = callOf({});
    late.cancel('deadline');
    expect(late.context.signal).toMatchObject({
      aborted: true,
      reason: { code: 'MCP_CALL_CANCELLED', reason: 'deadline' },
    });
    const finished = callOf({});
    finished.finish();
    finished.cancel('client-gone');
    expect(finished.context.signal.aborted).toBe(false);
  });

  it('keeps the first input request to the client', () => {
    const call = callOf({});
    const first = { kind: 'input-required', requestState: 'first' } as const;
    expect(() => call.interrupt(first)).toThrow(CallInterruption);
    expect(() => call.interrupt({ kind: 'input-required', requestState: 'second' })).toThrow(CallInterruption);
    expect(call.interruption).toBe(first);
  });

  it.each([
    [new CallInterruption(), true],
    [new Error('other'), false],
    [undefined, false],
    ['text', false],
  ])('%p is an interruption: %p', (error, expected) => {
    expect(CallInterruption.is(error)).toBe(expected);
  });
});

describe('the signal of a call', () => {
  const reasonOf = ({ reason }: AbortSignal): unknown => (reason as { reason?: unknown } | undefined)?.reason;

  it('is aborted when an interceptor no longer waits for the handler, and is replaced when the handler runs again', () => {
    const call = callOf({});
    call.begin();
    const first = call.context.signal;
    call.abandon();
    expect([first.aborted, reasonOf(first), call.running]).toEqual([true, 'interceptor', true]);
    call.begin();
    const second = call.context.signal;
    expect(second.aborted).toBe(false);
    call.cancel('deadline');
    expect(reasonOf(second)).toBe('deadline');
  });

  it('is aborted when it is first read after that', () => {
    const call = callOf({});
    call.abandon();
    expect(reasonOf(call.context.signal)).toBe('interceptor');
  });
});

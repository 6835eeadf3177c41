import { describe, expect, it } from '@jest/globals';
import type { NestInterceptor } from '@nestjs/common';

import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp, type DeskOptions } from '../support/desk.module.js';
import { Gate } from '../support/gate.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, rawHead, RawConnection } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';

const LIST = mcpRequest('tools/list');
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} });
const STREAM = mcpRequest('tools/call', { name: 'wait', arguments: { steps: 1 } }, { meta: { progressToken: 1 } });
/** Far below every timeout that an app would otherwise wait for, far above what a busy machine needs. */
const PROMPT_MS = 3_500;
const patient: DeskOptions = { http: { drainTimeoutMs: 60_000, bodyTimeoutMs: 60_000, readTimeoutMs: 60_000 } };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

describe.each(ADAPTERS)('closing an app on $name', (adapter) => {
  it('does not wait for connections that are idle', async () => {
    await using served = await serve(deskApp(patient), adapter);
    using used = await RawConnection.open(served.origin);
    used.send({ headers: linesOf(LIST), body: LIST.body });
    expect((await used.answer()).headers.get('connection')).toBe('keep-alive');
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await used.closed;
  });

  it.each([
    ['half a body', '{"jsonrpc":'],
    ['the head alone', ''],
  ])('refuses a request of which %s has come', async (_name, half) => {
    await using served = await serve(deskApp(patient), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.write(rawHead({ headers: linesOf(LIST), framing: 1_000 }) + half);
    // An answer on a second connection tells that the first has been taken.
    await served.send('tools/list');
    const closing = timed(() => served.app.close());
    const answer = await connection.answer();
    expect([answer.status, answer.message.error.code, answer.headers.get('connection')]).toEqual([
      503,
      -32603,
      'close',
    ]);
    expect(await closing).toBeLessThan(PROMPT_MS);
    await connection.closed;
  });

  it('waits for a running call, whose answer ends the connection', async () => {
    await using served = await serve(deskApp(patient), adapter);
    const desk = served.app.get(Desk);
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(WAIT), body: WAIT.body });
    const signal = await desk.waiting.opened;
    let closed = false;
    const close = async (): Promise<void> => {
      await served.app.close();
      closed = true;
    };
    const closing = close();
    // Closing has begun once new bodies are refused.
    using late = await RawConnection.open(served.origin);
    late.send({ headers: linesOf(LIST), body: LIST.body });
    expect((await late.answer()).status).toBe(503);
    expect([closed, signal.aborted]).toEqual([false, false]);
    desk.release.open('done');
    const answer = await connection.answer();
    expect(answer.message.result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(answer.headers.get('connection')).toBe('close');
    await closing;
    await connection.closed;
    expect(signal.aborted).toBe(false);
  });

  it('waits for a stream and for its last message', async () => {
    await using served = await serve(deskApp(patient), adapter);
    const desk = served.app.get(Desk);
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(STREAM), body: STREAM.body });
    await connection.until('"progress":1');
    const closing = served.app.close();
    desk.release.open('done');
    const { body } = await connection.answer();
    expect(body).toContain('done');
    await closing;
  });

  it('waits until a slow client has taken the whole of a large answer', async () => {
    await using served = await serve(deskApp(patient), adapter);
    const length = 24_000_000;
    const posted = mcpRequest('tools/call', { name: 'long', arguments: { length } });
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(posted), body: posted.body });
    await connection.until('content-length');
    connection.pause();
    const closing = served.app.close();
    using late = await RawConnection.open(served.origin);
    late.send({ headers: linesOf(LIST), body: LIST.body });
    expect((await late.answer()).status).toBe(503);
    connection.resume();
    const { body } = await connection.answer();
    expect(body.length).toBeGreaterThan(length);
    await closing;
  }, 20_000);

  it.each([
    ['call', WAIT],
    ['stream', STREAM],
  ])('cuts off a %s that never ends, and aborts it', async (_name, posted) => {
    await using served = await serve(deskApp({ http: { drainTimeoutMs: 50 } }), adapter);
    const desk = served.app.get(Desk);
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(posted), body: posted.body });
    const signal = await desk.waiting.opened;
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await desk.aborted.opened;
    expect(signal.aborted).toBe(true);
    await connection.closed;
  });

  it('cuts off in time what an interceptor of the app has held back', async () => {
    const held = new Gate();
    const passed = new Gate();
    const hold: NestInterceptor = {
      intercept: async (_context, next) => {
        held.open();
        await passed.opened;
        return next.handle();
      },
    };
    await using served = await serve(deskApp({ http: { drainTimeoutMs: 400, interceptors: [hold] } }), adapter);
    const desk = served.app.get(Desk);
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(WAIT), body: WAIT.body });
    await held.opened;
    using half = await RawConnection.open(served.origin);
    half.write(rawHead({ headers: linesOf(LIST), framing: 1_000 }));
    const closing = timed(() => served.app.close());
    // By now the wait for open answers has found none.
    expect((await half.answer()).status).toBe(503);
    passed.open();
    await desk.aborted.opened;
    expect(await closing).toBeLessThan(PROMPT_MS);
  });

  it('may happen twice', async () => {
    await using served = await serve(deskApp(), adapter);
    await served.app.close();
    await served.app.close();
    await expect(fetch(served.url)).rejects.toThrow('fetch failed');
  });
});

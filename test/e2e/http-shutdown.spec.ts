import { describe, expect, it } from '@jest/globals';
import type { NestInterceptor } from '@nestjs/common';

import { McpExecutor } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp, type DeskOptions } from '../support/desk.module.js';
import { Gate } from '../support/gate.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { linesOf, rawHead, RawConnection } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';

const LIST = mcpRequest('tools/list');
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} });
const STREAM = mcpRequest('tools/call', { name: 'wait', arguments: { steps: 1 } }, { meta: { progressToken: 1 } });
/** Far below every timeout that an app would otherwise wait for, far above what a busy machine needs. */
const PROMPT_MS = 3_500;
const limits = { drainTimeoutMs: 60_000 };
const patient: DeskOptions = { limits, http: { bodyTimeoutMs: 60_000, readTimeoutMs: 60_000 } };

const LISTEN = mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });

async function ask(served: ServedApp, { headers, body }: PostedRequest): Promise<RawConnection> {
  const connection = await RawConnection.open(served.origin);
  connection.send({ headers: linesOf({ headers, body }), body });
  return connection;
}

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
    await using served = await serve(
      deskApp({ ...patient, limits: { ...limits, maxResultBytes: 32_000_000 } }),
      adapter,
    );
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
  });

  it.each([
    ['call', WAIT],
    ['stream', STREAM],
  ])('dismisses a %s that never ends, and aborts it', async (_name, posted) => {
    await using served = await serve(deskApp({ limits: { drainTimeoutMs: 50 } }), adapter);
    const desk = served.app.get(Desk);
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(posted), body: posted.body });
    const signal = await desk.waiting.opened;
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await desk.aborted.opened;
    expect(signal.reason).toMatchObject({ code: 'MCP_CALL_CANCELLED', reason: 'shutdown' });
    // Even this one is told why.
    expect((await connection.answer()).body).toContain('"message":"The server is shutting down"');
    await connection.closed;
    desk.release.open('late');
  });

  it('refuses what an interceptor of the app has held back for too long', async () => {
    const held = new Gate();
    const passed = new Gate();
    const hold: NestInterceptor = {
      intercept: async (_context, next) => {
        held.open();
        await passed.opened;
        return next.handle();
      },
    };
    await using served = await serve(
      deskApp({ limits: { drainTimeoutMs: 400 }, http: { interceptors: [hold] } }),
      adapter,
    );
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
    const { status, message } = await connection.answer();
    expect([status, message.error.code, desk.calls]).toEqual([503, -32603, []]);
    expect(await closing).toBeLessThan(PROMPT_MS);
  });

  it('is done in time with everything open at once, and harmless to repeat', async () => {
    await using served = await serve(deskApp({ limits: { drainTimeoutMs: 400 } }), adapter);
    const desk = served.app.get(Desk);
    const listens = await Promise.all([1, 2, 3].map(() => ask(served, LISTEN)));
    for (const listen of listens) await listen.until('subscriptions/acknowledged');
    using slow = await ask(served, WAIT);
    await desk.waiting.opened;
    using half = await RawConnection.open(served.origin);
    half.write(rawHead({ headers: linesOf(LIST), framing: 1_000 }) + '{"jsonrpc"');
    await served.send('tools/list');
    const closing = timed(() => Promise.all([served.app.close(), served.app.close()]));
    for (const listen of listens) {
      const { body } = await listen.answer();
      expect(body).toMatch(
        /"id":1,"result":\{"resultType":"complete","_meta":\{"io.modelcontextprotocol\/subscriptionId":1,/,
      );
      await listen.closed;
    }
    expect((await half.answer()).status).toBe(503);
    expect((await slow.answer()).status).toBe(503);
    expect(await closing).toBeLessThan(PROMPT_MS);
    await served.app.close();
    desk.release.open('late');
    expect(served.app.get(McpExecutor, { strict: false }).stats()).toMatchObject({ queued: 0, slots: {} });
  });

  it('may happen twice', async () => {
    await using served = await serve(deskApp(), adapter);
    await served.app.close();
    await served.app.close();
    await expect(fetch(served.url)).rejects.toThrow('fetch failed');
  });
});

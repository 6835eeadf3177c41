import { once } from 'node:events';
import type { Server } from 'node:http';

import { describe, expect, it } from '@jest/globals';
import { RequestTimeoutException, type NestInterceptor } from '@nestjs/common';
import { catchError, finalize, throwError, timeout, TimeoutError } from 'rxjs';

import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { Gate } from '../support/gate.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { NODE_HOSTS } from '../support/node-hosts.js';
import { linesOf, RawConnection, rawHead } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';

const TOKEN = { meta: { progressToken: 'p' } };
const count = (steps: number, fail = false): PostedRequest =>
  mcpRequest('tools/call', { name: 'count', arguments: { steps, fail } }, TOKEN);
const wait = (steps = 0): PostedRequest => mcpRequest('tools/call', { name: 'wait', arguments: { steps } }, TOKEN);

async function ask(served: ServedApp, posted: PostedRequest): Promise<RawConnection> {
  const connection = await RawConnection.open(served.origin);
  connection.send({ headers: linesOf(posted), body: posted.body });
  return connection;
}

/** Opens when the server has noticed the end of its next connection. */
function nextConnectionEnd(served: ServedApp): Gate {
  const gate = new Gate();
  (served.app.getHttpServer() as Server).once(
    'connection',
    (socket) => void once(socket, 'close').then(() => gate.open()),
  );
  return gate;
}

describe.each(ADAPTERS)('plain answers on $name', (adapter) => {
  it('are one JSON message with its length', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const length of [1, 1_000, 300_000]) {
      using connection = await ask(served, mcpRequest('tools/call', { name: 'long', arguments: { length } }));
      const { status, headers, body, message } = await connection.answer();
      expect([status, headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(body))]);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('transfer-encoding')).toBeUndefined();
      expect((message.result.content as unknown as { text: string }[])[0]?.text).toHaveLength(length);
    }
  });

  it('go to clients that take JSON alone, without updates', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const accept of ['application/json', 'application/json, text/event-stream;q=0', 'application/*']) {
      const { headers, messages } = await served.call('count', { steps: 3 }, { ...TOKEN, headers: { accept } });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(messages).toHaveLength(1);
    }
  });

  it('are sent to clients that accept anything, or send no Accept header', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const accept of ['*/*', 'application/json;q=0.9, text/event-stream;q=0.1', '']) {
      const { status, headers } = await served.call('echo', { text: 'x' }, { headers: { accept } });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  it('are what handlers without updates give, with a token or without', async () => {
    await using served = await serve(deskApp(), adapter);
    const { headers } = await served.call('count', { steps: 0 }, TOKEN);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    const withoutToken = await served.call('count', { steps: 2 });
    expect(withoutToken.messages).toHaveLength(1);
  });
});

describe.each(NODE_HOSTS)('whole answers on $name', (host) => {
  it('are kept by no cache', async () => {
    await using app = await host.start();
    const list = mcpRequest('tools/list');
    const lines = linesOf(list);
    const ask = ({ headers, body }: PostedRequest): string =>
      rawHead({ headers: linesOf({ headers, body }), body }) + body;
    for (const [bytes, status, cacheControl] of [
      [ask(list), 200, 'no-store'],
      [ask(mcpRequest('tools/call', { name: 'boom' })), 200, 'no-store'],
      [ask(mcpRequest('tools/call', { name: 'unknown' })), 200, 'no-store'],
      [ask(mcpRequest('unknown/method')), 404, 'no-store'],
      [ask({ ...list, body: '{' }), 400, 'no-store'],
      [ask({ ...list, body: '{"jsonrpc":"2.0","method":"notifications/cancelled"}' }), 202, undefined],
      [rawHead({ method: 'GET', headers: lines, framing: 'none' }), 405, 'no-store'],
      [ask(mcpRequest('tools/list', {}, { headers: { accept: 'text/html' } })), 406, 'no-store'],
      [ask(mcpRequest('tools/list', {}, { headers: { origin: 'http://evil.example' } })), 403, 'no-store'],
    ] as const) {
      const { status: actual, headers } = await app.ask(bytes);
      expect([actual, headers.get('cache-control')]).toEqual([status, cacheControl]);
    }
  });
});

describe.each(ADAPTERS)('streams on $name', (adapter) => {
  it('begin with the first update and end with the answer', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await ask(served, count(2));
    const { status, headers, body } = await connection.answer();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-length')).toBeUndefined();
    const events = body.split('\n\n').filter((event) => event !== '');
    expect(events.map((event) => event.split('\n')[0])).toEqual(['event: message', 'event: message', 'event: message']);
    const messages = events.map((event) => JSON.parse(event.split('\ndata: ')[1]) as Record<string, unknown>);
    expect(messages.slice(0, 2)).toEqual(
      [1, 2].map((progress) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress, total: 2 },
      })),
    );
    expect(messages[2]).toMatchObject({ id: 1, result: { content: [{ text: 'counted' }] } });
    // The connection serves the next request.
    connection.send({ headers: linesOf(count(0)), body: count(0).body });
    expect((await connection.answer()).status).toBe(200);
  });

  it('send each update when it happens', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await ask(served, wait(1));
    const head = await connection.until('"progress":1');
    expect(head).toContain('text/event-stream');
    expect(head).not.toContain('"result"');
    served.app.get(Desk).release.open('done');
    expect(await connection.until('"result"')).toContain('done');
  });

  it('carry an error after the first update as their last message', async () => {
    await using served = await serve(deskApp(), adapter);
    const { status, messages, text } = await served.call('count', { steps: 1, fail: true }, TOKEN);
    expect([status, messages.length]).toEqual([200, 2]);
    expect(messages[1]).toMatchObject({ id: 1, error: { code: -32603, message: 'Internal error' } });
    expect(text).not.toContain('detail');
    expect((await served.call('echo', { text: 'alive' })).status).toBe(200);
  });

  it('are all that clients get who take nothing else', async () => {
    await using served = await serve(deskApp(), adapter);
    const headers = { accept: 'text/event-stream' };
    for (const [name, args] of [
      ['echo', { text: 'x' }],
      ['count', { steps: 2 }],
    ] as const) {
      const answer = await served.call(name, args, { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      expect(answer.message).toMatchObject({ id: 1, result: {} });
    }
    // A status that the protocol demands cannot be told by a stream.
    expect((await served.send('foo/bar', {}, { headers })).status).toBe(404);
  });

  it('run beside each other', async () => {
    await using served = await serve(deskApp(), adapter);
    const answers = await Promise.all([1, 2, 3].map((id) => served.call('count', { steps: 5 }, { ...TOKEN, id })));
    for (const [index, { messages }] of answers.entries()) {
      expect([messages.length, messages.at(-1)?.id]).toEqual([6, index + 1]);
    }
  });
});

describe.each(ADAPTERS)('a client that leaves on $name', (adapter) => {
  it.each([
    ['before an update', 0],
    ['in the middle of a stream', 2],
  ])('aborts its call %s', async (_name, steps) => {
    await using served = await serve(deskApp(), adapter);
    const desk = served.app.get(Desk);
    using connection = await ask(served, wait(steps));
    const signal = await desk.waiting.opened;
    expect(signal.aborted).toBe(false);
    connection.destroy();
    await desk.aborted.opened;
    expect(signal.aborted).toBe(true);
    desk.release.open('too late');
    expect((await served.call('echo', { text: 'next' })).status).toBe(200);
  });

  it.each([
    ['a plain answer', 0],
    ['a stream', 2],
  ])('aborts nothing after %s', async (_name, steps) => {
    await using served = await serve(deskApp(), adapter);
    const desk = served.app.get(Desk);
    const gone = nextConnectionEnd(served);
    using connection = await ask(served, wait(steps));
    const signal = await desk.waiting.opened;
    desk.release.open('done');
    await connection.until('"result"');
    expect(signal.aborted).toBe(false);
    connection.destroy();
    await gone.opened;
    expect(signal.aborted).toBe(false);
  });

  it.each(['guards', 'interceptors'] as const)('never starts a call that it left while %s ran', async (place) => {
    const asked = new Gate();
    const release = new Gate();
    const hold = async (): Promise<true> => {
      asked.open();
      await release.opened;
      return true;
    };
    const interceptor: NestInterceptor = { intercept: async (_context, next) => (await hold()) && next.handle() };
    const http = place === 'guards' ? { guards: [{ canActivate: hold }] } : { interceptors: [interceptor] };
    await using served = await serve(deskApp({ http }), adapter);
    const gone = nextConnectionEnd(served);
    using connection = await ask(served, mcpRequest('tools/call', { name: 'echo', arguments: { text: 'gone' } }));
    await asked.opened;
    connection.destroy();
    await gone.opened;
    release.open();
    expect((await served.call('echo', { text: 'next' })).status).toBe(200);
    expect(served.app.get(Desk).calls).toEqual(['echo next']);
  });
});

describe.each(ADAPTERS)('an interceptor of the endpoint on $name', (adapter) => {
  const timingOut = (ended: Gate): NestInterceptor => ({
    intercept: (_context, next) =>
      next.handle().pipe(
        timeout(20),
        catchError((error: unknown) =>
          throwError(() => (error instanceof TimeoutError ? new RequestTimeoutException() : error)),
        ),
        finalize(() => ended.open()),
      ),
  });

  it('does not end a call that takes longer than its timeout', async () => {
    const ended = new Gate();
    await using served = await serve(deskApp({ http: { interceptors: [timingOut(ended)] } }), adapter);
    const desk = served.app.get(Desk);
    using connection = await ask(served, wait());
    const signal = await desk.waiting.opened;
    await ended.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal.aborted).toBe(false);
    desk.release.open('in time');
    const { status, message } = await connection.answer();
    expect([status, message.result.content]).toEqual([200, [{ type: 'text', text: 'in time' }]]);
    const next = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'next' } }, { id: 2 });
    connection.send({ headers: linesOf(next), body: next.body });
    expect((await connection.answer()).message.id).toBe(2);
  });

  it('does not end a stream that takes longer than its timeout', async () => {
    const ended = new Gate();
    await using served = await serve(deskApp({ http: { interceptors: [timingOut(ended)] } }), adapter);
    const desk = served.app.get(Desk);
    using connection = await ask(served, wait(1));
    await ended.opened;
    await new Promise((resolve) => setImmediate(resolve));
    desk.release.open('in time');
    const { status, body } = await connection.answer();
    expect(status).toBe(200);
    expect(body).toContain('"progress":1');
    expect(body).toContain('in time');
    expect(body).not.toContain('statusCode');
  });

  it('sees how long a call really took', async () => {
    const ended: number[] = [];
    const watch: NestInterceptor = {
      intercept: (_context, next) => {
        const handled = next.handle();
        return handled.pipe((source) => {
          source.subscribe({ complete: () => ended.push(1) });
          return source;
        });
      },
    };
    await using served = await serve(deskApp({ http: { interceptors: [watch] } }), adapter);
    await served.call('echo', { text: 'x' });
    expect(ended.length).toBeGreaterThan(0);
  });
});

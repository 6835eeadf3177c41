import { describe, expect, it } from '@jest/globals';

import { McpExecutor, McpNotifier } from '../../lib/index.js';
import { Gate } from '../support/gate.js';
import { bytesOf, listen, listenerDesk, type ListenerApp } from '../support/listener-app.js';
import { settled } from '../support/listening.js';
import { mcpRequest } from '../support/mcp-request.js';
import { SseStream } from '../support/sse-stream.js';
import { Workshop, workshopApp } from '../support/workshop.module.js';

const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} });
const LISTEN = mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });

const progressing = (name: string, args: object, token: unknown = 't'): ReturnType<typeof mcpRequest> =>
  mcpRequest('tools/call', { name, arguments: args }, { meta: { progressToken: token } });

const free = (app: ListenerApp): Promise<void> =>
  settled(() => {
    const { slots, running } = app.app.get(McpExecutor, { strict: false }).stats();
    return Object.keys(slots).length + running === 0 ? undefined : 'a place is held';
  });

describe('an answer of the own listener', () => {
  it('becomes a stream with the first update, and ends with the result', async () => {
    await using app = await listen(listenerDesk());
    using stream = await SseStream.open(app.origin, progressing('count', { steps: 3 }), { method: 'tools/call' });
    const messages = await stream.whole();
    expect([stream.status, messages.length, messages.at(-1)?.result.content]).toEqual([
      200,
      4,
      [{ type: 'text', text: 'counted' }],
    ]);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers['content-length']).toBeUndefined();
  });

  it('shows signs of life while nothing happens', async () => {
    await using app = await listen(listenerDesk({ keepAliveMs: 20 }));
    using stream = await SseStream.open(app.origin, progressing('wait', { steps: 1 }));
    await stream.until(({ comments }) => comments.length >= 2);
    app.desk.release.open('done');
    expect((await stream.whole()).at(-1)?.result.content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('is not waited for when the client leaves a silent call', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    connection.write(bytesOf(WAIT));
    const signal = await app.desk.waiting.opened;
    connection.destroy();
    await app.desk.aborted.opened;
    expect(signal.reason).toMatchObject({ reason: 'client-gone' });
    app.desk.release.open('late');
    await free(app);
  });

  it('is not waited for when the client leaves behind another answer', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    connection.write(bytesOf(LISTEN) + bytesOf({ ...WAIT, body: WAIT.body.replace('"id":1', '"id":2') }));
    const signal = await app.desk.waiting.opened;
    connection.destroy();
    await app.desk.aborted.opened;
    expect(signal.aborted).toBe(true);
    app.desk.release.open('late');
    await free(app);
  });

  const hasty = { requestTimeoutMs: 70, maxConcurrency: 1, abandonAfterMs: 60_000 };

  it('comes in time, whether its call runs or waits for its turn', async () => {
    await using app = await listen(workshopApp({ http: false, listener: { port: 0 }, limits: hasty }));
    const workshop = app.app.get(Workshop);
    const running = app.call('hold', { name: 'running' });
    const held = await workshop.started('running');
    const waiting = await app.call('hold', { name: 'waiting' });
    expect([(await running).status, waiting.status, waiting.message.error.code]).toEqual([504, 504, -32603]);
    expect([...workshop.held.keys()]).toEqual(['running']);
    held.release.open('late');
  });

  it('that streams has one end, with the deadline', async () => {
    await using app = await listen(workshopApp({ http: false, listener: { port: 0 }, limits: hasty }));
    using stream = await SseStream.open(app.origin, progressing('report', { name: 'r' }));
    const messages = await stream.whole();
    expect([stream.status, messages.at(-1)?.error.code]).toEqual([200, -32603]);
    expect(messages.filter(({ error }) => error !== undefined)).toHaveLength(1);
  });

  it('that its client does not take is cut off', async () => {
    const limits = { maxResultBytes: 32_000_000 };
    await using app = await listen(listenerDesk({ writeTimeoutMs: 100 }, { limits }));
    const posted = mcpRequest('tools/call', { name: 'long', arguments: { length: 24_000_000 } });
    using connection = await app.connect();
    connection.write(bytesOf(posted));
    await connection.until('content-length');
    connection.pause();
    await free(app);
    // Closing would wait for a connection that is still there.
    const started = performance.now();
    await app.app.close();
    expect(performance.now() - started).toBeLessThan(3_500);
    connection.resume();
    await connection.closed;
  });
});

describe('subscriptions at the own listener', () => {
  it('receive changes', async () => {
    await using app = await listen(listenerDesk());
    using stream = await SseStream.open(app.origin, LISTEN, { method: 'subscriptions/listen' });
    await stream.until(({ messages }) => messages.length === 1);
    await app.app.get(McpNotifier, { strict: false }).toolsChanged();
    await stream.until(({ messages }) => messages.length === 2);
    expect(stream.messages.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
  });

  it('have as many places as the server says, which come back', async () => {
    await using app = await listen(listenerDesk({}, { limits: { maxSubscriptions: 1 } }));
    using first = await SseStream.open(app.origin, LISTEN);
    await first.until(({ messages }) => messages.length === 1);
    using second = await SseStream.open(app.origin, LISTEN);
    expect([second.status, (await second.whole())[0]?.error.code]).toEqual([503, -32603]);
    first[Symbol.dispose]();
    await free(app);
    using third = await SseStream.open(app.origin, LISTEN);
    await third.until(({ messages }) => messages.length === 1);
    expect(third.status).toBe(200);
  });
});

describe('cancelling at the own listener', () => {
  const scoped = listenerDesk({
    guards: [
      {
        canActivate: (context) => {
          const request = context.switchToHttp().getRequest<Record<string, unknown> & { headers: Headers }>();
          const [sub, scope] = String((request.headers as unknown as { authorization?: string }).authorization).split(
            ' ',
          );
          if (sub !== 'nobody') request['mcpAuth'] = sub;
          request['mcpCancellationScope'] = scope;
          return true;
        },
      },
    ],
  });

  it('by notification reaches the call of the same caller alone, and its id is taken until then', async () => {
    await using app = await listen(scoped);
    const ended = new Gate<number>();
    const as = (authorization: string) => ({ id: 7, headers: { authorization } });
    void app.call('wait', {}, as('ada one')).then(({ status }) => ended.open(status));
    const signal = await app.desk.waiting.opened;
    expect((await app.call('echo', { text: 'x' }, as('ada one'))).status).toBe(409);
    const cancel = (authorization: string, requestId: unknown): Promise<{ status: number }> =>
      app.post({
        headers: { ...WAIT.headers, authorization },
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
      });
    for (const [who, id] of [
      ['eve one', 7],
      ['ada two', 7],
      ['nobody one', 7],
      ['ada one', 8],
      ['ada one', '7'],
      ['ada one', {}],
    ] as const) {
      expect((await cancel(who, id)).status).toBe(202);
    }
    expect(signal.aborted).toBe(false);
    expect((await cancel('ada one', 7)).status).toBe(202);
    expect(await ended.opened).toBe(204);
    app.desk.release.open('late');
  });
});

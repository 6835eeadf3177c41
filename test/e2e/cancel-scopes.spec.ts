import { describe, expect, it } from '@jest/globals';
import type { CanActivate, ExecutionContext } from '@nestjs/common';

import { McpNotifier } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { statsOf, until, Workshop, workshopApp } from '../support/workshop.module.js';

interface Trusted {
  mcpAuth?: unknown;
  mcpCancellationScope?: unknown;
}

/** What a guard makes of a verified token: who it is, and which of its clients this is. */
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Trusted & { headers: Record<string, string | undefined> }>();
    const [user, client] = (request.headers['authorization'] ?? '').split('/');
    if (user !== '') request.mcpAuth = user === 'opaque' ? new Map([['a', 1]]) : { roles: ['x'], sub: user };
    if (client !== undefined) request.mcpCancellationScope = client;
    return true;
  }
}

const OPTIONS = { http: { guards: [TokenGuard] } };
const as = (authorization: string): { readonly headers: Record<string, string> } => ({ headers: { authorization } });

/** A cancellation as a client sends it; `token` is who says so. */
function cancel(
  served: ServedApp,
  requestId: unknown,
  token: string,
  params: object = {},
): ReturnType<ServedApp['post']> {
  const { headers } = mcpRequest('notifications/cancelled', {}, as(token));
  const body = JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, ...params },
  });
  return served.post({ headers, body } satisfies PostedRequest);
}

describe.each(ADAPTERS)('a cancellation over HTTP on $name', (adapter) => {
  it('ends the request of the same client with silence', async () => {
    await using served = await serve(workshopApp(OPTIONS), adapter);
    const answer = served.call('hold', { name: 'a' }, { id: 7, ...as('ada/tab1') });
    const { aborted, release } = await served.app.get(Workshop).started('a');
    const taken = await cancel(served, 7, 'ada/tab1', { reason: 'changed my mind' });
    expect([taken.status, taken.text]).toEqual([202, '']);
    const { status, text, headers } = await answer;
    expect([status, text, headers.get('content-length')]).toEqual([204, '', null]);
    expect(await aborted.opened).toMatchObject({ reason: 'cancelled' });
    release.open('late');
    await until(() => statsOf(served).running === 0);
  });

  it('ends a stream without another word, and one that waits before it runs', async () => {
    const limits = { maxConcurrency: 1 };
    await using served = await serve(workshopApp({ ...OPTIONS, limits }), adapter);
    const stream = served.call('report', { name: 'r' }, { id: 'r', ...as('ada/tab1'), meta: { progressToken: 1 } });
    await served.app.get(Workshop).started('r');
    const queued = served.call('hold', { name: 'queued' }, { id: 'q', ...as('ada/tab1') });
    await until(() => statsOf(served).queued === 1);
    // The server is full, which is no reason not to listen.
    expect((await cancel(served, 'q', 'ada/tab1')).status).toBe(202);
    expect((await queued).status).toBe(204);
    expect((await cancel(served, 'r', 'ada/tab1')).status).toBe(202);
    const { status, messages } = await stream;
    expect([status, messages.some(({ id }) => id !== undefined)]).toEqual([200, false]);
    await until(() => statsOf(served).running === 0);
    expect(served.app.get(Workshop).held.has('queued')).toBe(false);
  });

  it.each([
    ['another caller', 7, 'eve/tab1', {}],
    ['another client of the same caller', 7, 'ada/tab2', {}],
    ['a client without a scope', 7, 'ada', {}],
    ['nobody', 7, '/tab1', {}],
    ['somebody who takes the id for a string', '7', 'ada/tab1', {}],
    ['somebody with another id', 8, 'ada/tab1', {}],
    ['somebody without an id', undefined, 'ada/tab1', {}],
    ['somebody with an id that is none', 7.5, 'ada/tab1', {}],
    ['somebody whose reason is no text', 7, 'ada/tab1', { reason: 42 }],
  ])('of %s is taken and does nothing', async (_name, id, token, params) => {
    await using served = await serve(workshopApp(OPTIONS), adapter);
    const answer = served.call('hold', { name: 'a' }, { id: 7, ...as('ada/tab1') });
    const { signal, release } = await served.app.get(Workshop).started('a');
    expect((await cancel(served, id, token, params)).status).toBe(202);
    expect([signal.aborted, statsOf(served).running]).toEqual([false, 1]);
    release.open('done');
    expect((await answer).status).toBe(200);
  });

  it('has no effect without a trusted scope, for any headers and JSON', async () => {
    await using served = await serve(workshopApp(), adapter);
    const forged = {
      headers: { authorization: 'ada/tab1', mcpcancellationscope: 'tab1', mcpauth: 'ada', 'mcp-session-id': 'tab1' },
      meta: { mcpAuth: 'ada', mcpCancellationScope: 'tab1' },
    };
    const answers = ['a', 'b'].map((name) => served.call('hold', { name }, { id: 7, ...forged }));
    const calls = [await served.app.get(Workshop).started('a'), await served.app.get(Workshop).started('b')];
    expect((await cancel(served, 7, 'ada/tab1', { mcpCancellationScope: 'tab1', mcpAuth: 'ada' })).status).toBe(202);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    for (const { release } of calls) release.open('done');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('does not reach another server, which has separate scopes', async () => {
    await using one = await serve(workshopApp(OPTIONS), adapter);
    await using two = await serve(workshopApp(OPTIONS), adapter);
    const answer = one.call('hold', { name: 'a' }, { id: 7, ...as('ada/tab1') });
    const { signal, release } = await one.app.get(Workshop).started('a');
    await cancel(two, 7, 'ada/tab1');
    expect(signal.aborted).toBe(false);
    release.open('done');
    expect((await answer).status).toBe(200);
  });

  it('cannot compare callers that hold more than data, and says so once', async () => {
    const log = new CapturedLog();
    await using served = await serve(workshopApp(OPTIONS), adapter, { configure: (app) => log.attach(app) });
    const answer = served.call('hold', { name: 'a' }, { id: 7, ...as('opaque/tab1') });
    const { signal, release } = await served.app.get(Workshop).started('a');
    await cancel(served, 7, 'opaque/tab1');
    expect(signal.aborted).toBe(false);
    release.open('done');
    expect((await answer).status).toBe(200);
    expect(log.texts('warn').filter((line) => line.includes('cannot cancel'))).toHaveLength(1);
  });
});

describe.each(ADAPTERS)('an id that is in use on $name', (adapter) => {
  it('is refused within its scope, and free again as soon as its request has ended', async () => {
    await using served = await serve(workshopApp(OPTIONS), adapter);
    const workshop = served.app.get(Workshop);
    const first = served.call('hold', { name: 'a' }, { id: 7, ...as('ada/tab1') });
    const { release } = await workshop.started('a');
    const second = await served.call('hold', { name: 'b' }, { id: 7, ...as('ada/tab1') });
    expect(second.status).toBe(409);
    expect(second.message).toMatchObject({ id: 7, error: { code: -32600 } });
    await cancel(served, 7, 'ada/tab1');
    expect((await first).status).toBe(204);
    // The handler still runs, but its id names nothing any more.
    const third = served.call('hold', { name: 'c' }, { id: 7, ...as('ada/tab1') });
    (await workshop.started('c')).release.open('done');
    expect((await third).status).toBe(200);
    release.open('late');
    await until(() => statsOf(served).running === 0);
    expect(workshop.held.has('b')).toBe(false);
  });

  it('may be that of an open subscription, which ends with its connection alone', async () => {
    await using served = await serve(workshopApp(OPTIONS), adapter);
    const posted = mcpRequest(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { id: 7, ...as('ada/tab1') },
    );
    using listen = await RawConnection.open(served.origin);
    listen.send({ headers: linesOf(posted), body: posted.body });
    await listen.until('acknowledged');
    expect((await served.call('ping', {}, { id: 7, ...as('ada/tab1') })).status).toBe(409);
    expect((await cancel(served, 7, 'ada/tab1')).status).toBe(202);
    await served.app.get(McpNotifier, { strict: false }).toolsChanged();
    await listen.until('list_changed');
    listen.destroy();
    await until(() => statsOf(served).slots['subscriptions'] === undefined);
    expect((await served.call('ping', {}, { id: 7, ...as('ada/tab1') })).status).toBe(200);
  });

  it('is another one for another client, and for a string of the same digits', async () => {
    await using served = await serve(workshopApp(OPTIONS), adapter);
    const workshop = served.app.get(Workshop);
    const calls = [
      served.call('hold', { name: 'a' }, { id: 7, ...as('ada/tab1') }),
      served.call('hold', { name: 'b' }, { id: '7', ...as('ada/tab1') }),
      served.call('hold', { name: 'c' }, { id: 7, ...as('ada/tab2') }),
      served.call('hold', { name: 'd' }, { id: 7, ...as('eve/tab1') }),
      served.call('hold', { name: 'e' }, { id: 7, ...as('ada') }),
      served.call('hold', { name: 'f' }, { id: 7, ...as('ada') }),
    ];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) (await workshop.started(name)).release.open(name);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
  });
});

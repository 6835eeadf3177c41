import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2Server,
  type ServerHttp2Stream,
} from 'node:http2';

import { describe, expect, it } from '@jest/globals';
import type { CanActivate } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import type { McpLimitOptions } from '../../lib/index.js';
import { Desk } from '../support/desk.module.js';
import { appOf, Held, timed, Undecided } from '../support/held-route.module.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { RawConnection } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

const LIST = mcpRequest('tools/list');
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} });
/** Far below every timeout that an app would otherwise wait for, far above what a busy machine needs. */
const PROMPT_MS = 3_500;
const SOON: McpLimitOptions = { drainTimeoutMs: 100 };

/** A client of HTTP/2, on one connection. */
class Http2Client implements Disposable {
  private constructor(private readonly session: ClientHttp2Session) {
    session.on('error', () => undefined);
  }

  static open({ origin }: ServedApp): Promise<Http2Client> {
    const session = connectHttp2(origin);
    return new Promise((resolve) => session.once('connect', () => resolve(new Http2Client(session))));
  }

  post({ headers, body }: PostedRequest): ClientHttp2Stream {
    const stream = this.session.request({ ':method': 'POST', ':path': '/mcp', ...headers });
    stream.on('error', () => undefined);
    stream.end(body);
    return stream;
  }

  get(path: string): ClientHttp2Stream {
    return this.session.request({ ':path': path });
  }

  leave(): void {
    this.session.destroy();
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}

function statusOf(stream: ClientHttp2Stream): Promise<unknown> {
  return new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])).resume());
}

describe('an app over HTTP/2', () => {
  const adapter = { create: () => new FastifyAdapter({ http2: true } as never) as never };

  it('cancels running calls when its client leaves', async () => {
    await using served = await serve(appOf({}), adapter);
    using client = await Http2Client.open(served);
    for (let count = 0; count < 100; count += 1) client.post(WAIT);
    await until(() => statsOf(served).running === 16 && statsOf(served).queued === 84);
    client.leave();
    await until(() => statsOf(served).queued === 0);
    await served.app.get(Desk).aborted.opened;
    served.app.get(Desk).release.open('late');
    await until(() => statsOf(served).running === 0);
    expect(statsOf(served)).toMatchObject({ owners: 0, queued: 0 });
  });

  it('lets go of a client that takes nothing, and answers its other requests', async () => {
    await using served = await serve(appOf({ writeTimeoutMs: 300 }), adapter);
    using client = await Http2Client.open(served);
    const ended = new Promise((resolve) => {
      (served.app.getHttpServer() as Http2Server).once('stream', (taken: ServerHttp2Stream) =>
        taken.once('close', resolve),
      );
    });
    const stream = client.post(mcpRequest('tools/call', { name: 'long', arguments: { length: 16_000_000 } }));
    await new Promise((resolve) => stream.once('response', resolve));
    await ended;
    expect(await statusOf(client.post(LIST))).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['the beginning of a connection', 'PRI * HTTP/2.0\r\n'],
  ])('closes although a connection has sent %s', async (_name, bytes) => {
    await using served = await serve(appOf({}, SOON), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytes);
    using client = await Http2Client.open(served);
    expect(await statusOf(client.post(LIST))).toBe(200);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await connection.closed;
  });

  it('closes although calls never end and a guard never decides', async () => {
    const guard = new Undecided();
    const isHeld = (request: { headers: Record<string, unknown> }): boolean => request.headers['x-held'] !== undefined;
    const some: CanActivate = {
      canActivate: (context) => (isHeld(context.switchToHttp().getRequest()) ? guard.canActivate() : true),
    };
    await using served = await serve(appOf({ guards: [some] }, SOON), adapter);
    using client = await Http2Client.open(served);
    const running = statusOf(client.post(WAIT));
    await served.app.get(Desk).waiting.opened;
    const undecided = statusOf(client.post({ ...LIST, headers: { ...LIST.headers, 'x-held': 'yes' } }));
    await guard.asked.opened;
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    expect([await running, await undecided]).toEqual([503, 503]);
    guard.verdict.open(true);
    served.app.get(Desk).release.open('late');
  });

  it('refuses a body without Connection header, since streams share the connection', async () => {
    await using served = await serve(appOf({}), adapter);
    using client = await Http2Client.open(served);
    const encoded = { ...LIST, headers: { ...LIST.headers, 'content-encoding': 'gzip' } };
    expect(await statusOf(client.post(encoded))).toBe(415);
    expect(await statusOf(client.post(LIST))).toBe(200);
  });

  it('does not end other routes of the app early', async () => {
    await using served = await serve(appOf({}, SOON), adapter);
    const held = served.app.get(Held, { strict: false });
    using client = await Http2Client.open(served);
    const kept = statusOf(client.get('/held'));
    await held.asked.opened;
    using silent = await RawConnection.open(served.origin);
    silent.write('PRI * HTTP/2.0\r\n');
    const closing = served.app.close();
    await silent.closed;
    held.release.open('kept');
    expect(await kept).toBe(200);
    expect(await timed(() => closing)).toBeLessThan(PROMPT_MS);
  });
});

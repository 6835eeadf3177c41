import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2Server,
  type ServerHttp2Stream,
} from 'node:http2';
import { connect as connectTcp } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Injectable, type CanActivate } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import type { McpHttpOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { Gate } from '../support/gate.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection, rawHead } from '../support/raw-http.js';
import { selfSigned } from '../support/self-signed.js';
import { serve, type ServedApp, type ServeOptions } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

const LIST = mcpRequest('tools/list');
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} });
const HEAD = 'POST /mcp HTTP/1.1\r\nhost: a\r\n';
const HELD = 'GET /held HTTP/1.1\r\nhost: a\r\n\r\n';
/** Far below every timeout that an app would otherwise wait for, far above what a busy machine needs. */
const PROMPT_MS = 3_500;
const SOON: McpHttpOptions = { drainTimeoutMs: 100 };
const PATIENT: McpHttpOptions = { drainTimeoutMs: 60_000 };

const bytesOf = (posted: PostedRequest): string =>
  rawHead({ headers: linesOf(posted), body: posted.body }) + posted.body;

/** A route of the app that is no business of the library. */
@Injectable()
class Held {
  readonly asked = new Gate();
  readonly release = new Gate<string>();
}

@Controller()
class HeldController {
  constructor(@Inject(Held) private readonly held: Held) {}

  @Get('held')
  answer(): Promise<string> {
    this.held.asked.open();
    return this.held.release.opened;
  }
}

/** Never decides by itself. */
class Undecided implements CanActivate {
  readonly asked = new Gate();
  readonly verdict = new Gate<boolean>();

  canActivate(): Promise<boolean> {
    this.asked.open();
    return this.verdict.opened;
  }
}

const appOf = (http: McpHttpOptions) => deskApp({ http }, { providers: [Held], controllers: [HeldController] });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** An answer on a second connection tells that the first has been read. */
async function settle(served: ServedApp): Promise<void> {
  using second = await RawConnection.open(served.origin);
  second.write(bytesOf(LIST));
  await second.answer();
}

const CERTIFICATE = selfSigned('localhost');

const PROTOCOLS = [
  ...ADAPTERS.map((adapter) => ({ ...adapter, options: {} as ServeOptions })),
  { ...ADAPTERS[0], name: 'express with TLS', options: { httpsOptions: CERTIFICATE } },
  {
    name: 'fastify with TLS',
    create: () => new FastifyAdapter({ https: CERTIFICATE }) as never,
    options: { scheme: 'https' } as ServeOptions,
  },
];

describe.each(PROTOCOLS)('closing an app on $name', ({ create, options }) => {
  it.each([
    ['nothing has come', ''],
    ['half a head has come', HEAD],
    ['half of a second head has come', bytesOf(LIST) + HEAD],
  ])('ends a connection on which %s', async (_name, bytes) => {
    await using served = await serve(appOf(SOON), { create: create! }, options);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytes);
    await settle(served);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await connection.closed;
  });

  it('refuses a request that a guard holds back, and lets the guard decide in vain', async () => {
    const guard = new Undecided();
    const log = new CapturedLog();
    await using served = await serve(
      appOf({ ...SOON, guards: [guard] }),
      { create: create! },
      {
        ...options,
        configure: (app) => log.attach(app),
      },
    );
    using connection = await RawConnection.open(served.origin);
    connection.write(bytesOf(LIST));
    await guard.asked.opened;
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    const { status, message, headers } = await connection.answer();
    expect([status, message.error.code, headers.get('connection')]).toEqual([503, -32603, 'close']);
    guard.verdict.open(true);
    await guard.verdict.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(log.texts('error')).toEqual([]);
  });

  it('leaves the other routes of the app their time', async () => {
    await using served = await serve(appOf(SOON), { create: create! }, options);
    const held = served.app.get(Held, { strict: false });
    using connection = await RawConnection.open(served.origin);
    connection.write(HELD);
    await held.asked.opened;
    using silent = await RawConnection.open(served.origin);
    silent.write(HEAD);
    await settle(served);
    const closing = served.app.close();
    // What may be cut off is cut off by now.
    await silent.closed;
    held.release.open('kept');
    expect((await connection.answer()).body).toBe('kept');
    expect(await timed(() => closing)).toBeLessThan(PROMPT_MS);
  });

  it('answers every call of a connection, however many wait behind another', async () => {
    await using served = await serve(appOf(PATIENT), { create: create! }, options);
    const desk = served.app.get(Desk);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytesOf(WAIT).repeat(3));
    await until(() => statsOf(served).running === 3);
    const closing = timed(() => served.app.close());
    await until(() => served.app.get(Desk).calls.length === 3);
    desk.release.open('done');
    for (let count = 1; count <= 3; count += 1) {
      const { status, headers } = await connection.answer();
      expect([status, headers.get('connection')]).toEqual([200, count === 3 ? 'close' : 'keep-alive']);
    }
    expect(await closing).toBeLessThan(PROMPT_MS);
    await connection.closed;
  });

  it('ends what runs on a connection when its time is over, however many wait behind another', async () => {
    await using served = await serve(appOf(SOON), { create: create! }, options);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytesOf(WAIT).repeat(3));
    await until(() => statsOf(served).running === 3);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    expect((await connection.answer()).status).toBe(503);
    await connection.closed;
    served.app.get(Desk).release.open('late');
  });
});

describe.each(ADAPTERS)('closing a patient app on $name', (adapter) => {
  it('does not wait for connections on which nothing has come, however patient it is', async () => {
    await using served = await serve(appOf(PATIENT), adapter);
    using connection = await RawConnection.open(served.origin);
    await settle(served);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await connection.closed;
  });
});

describe('closing an app with TLS', () => {
  it.each(PROTOCOLS.slice(2))('ends a connection without a handshake on $name', async ({ create, options }) => {
    await using served = await serve(appOf(SOON), { create: create! }, options);
    const { hostname, port } = new URL(served.origin);
    const socket = connectTcp({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    await settle(served);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await closed;
  });
});

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

  it('cancels what runs when its client leaves', async () => {
    await using served = await serve(appOf({}), adapter);
    using client = await Http2Client.open(served);
    for (let count = 0; count < 100; count += 1) client.post(WAIT);
    await until(() => statsOf(served).running === 16 && statsOf(served).queued === 84);
    client.leave();
    await until(() => statsOf(served).queued === 0);
    await served.app.get(Desk).aborted.opened;
    served.app.get(Desk).release.open('late');
    await until(() => statsOf(served).running === 0);
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
    await using served = await serve(appOf(SOON), adapter);
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
    await using served = await serve(appOf({ ...SOON, guards: [some] }), adapter);
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

  it('refuses a body without a word about the connection, which others share', async () => {
    await using served = await serve(appOf({}), adapter);
    using client = await Http2Client.open(served);
    const encoded = { ...LIST, headers: { ...LIST.headers, 'content-encoding': 'gzip' } };
    expect(await statusOf(client.post(encoded))).toBe(415);
    expect(await statusOf(client.post(LIST))).toBe(200);
  });

  it('leaves the other routes of the app their time', async () => {
    await using served = await serve(appOf(SOON), adapter);
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

import { connect as connectTcp } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import type { McpLimitOptions } from '../../lib/index.js';
import { ADAPTERS, EXPRESS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { Desk } from '../support/desk.module.js';
import { appOf, Held, settle, timed, Undecided } from '../support/held-route.module.js';
import { bytesOf } from '../support/listener-app.js';
import { mcpRequest } from '../support/mcp-request.js';
import { RawConnection } from '../support/raw-http.js';
import { selfSigned } from '../support/self-signed.js';
import { serve, type ServeOptions } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

const LIST = mcpRequest('tools/list');
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} });
const HEAD = 'POST /mcp HTTP/1.1\r\nhost: a\r\n';
const HELD = 'GET /held HTTP/1.1\r\nhost: a\r\n\r\n';
/** Far below every timeout that an app would otherwise wait for, far above what a busy machine needs. */
const PROMPT_MS = 3_500;
const SOON: McpLimitOptions = { drainTimeoutMs: 100 };
const PATIENT: McpLimitOptions = { drainTimeoutMs: 60_000 };

const CERTIFICATE = selfSigned('localhost');

const PROTOCOLS = [
  ...ADAPTERS.map((adapter) => ({ ...adapter, options: {} as ServeOptions })),
  { ...EXPRESS, name: 'express with TLS', options: { httpsOptions: CERTIFICATE } },
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
    await using served = await serve(appOf({}, SOON), { create }, options);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytes);
    await settle(served);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await connection.closed;
  });

  it('refuses a request that waits for a guard, whose later decision has no effect', async () => {
    const guard = new Undecided();
    const log = new CapturedLog();
    await using served = await serve(
      appOf({ guards: [guard] }, SOON),
      { create },
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

  it('does not end other routes of the app early', async () => {
    await using served = await serve(appOf({}, SOON), { create }, options);
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

  it('answers every call of a connection, with many calls waiting behind another', async () => {
    await using served = await serve(appOf({}, PATIENT), { create }, options);
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

  it('ends all calls of a connection after the drain time, with many waiting behind another', async () => {
    await using served = await serve(appOf({}, SOON), { create }, options);
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
  it('does not wait for silent connections, for any drain time', async () => {
    await using served = await serve(appOf({}, PATIENT), adapter);
    using connection = await RawConnection.open(served.origin);
    await settle(served);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await connection.closed;
  });
});

describe('closing an app with TLS', () => {
  it.each(PROTOCOLS.slice(2))('ends a connection without a handshake on $name', async ({ create, options }) => {
    await using served = await serve(appOf({}, SOON), { create }, options);
    const { hostname, port } = new URL(served.origin);
    const socket = connectTcp({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    await settle(served);
    expect(await timed(() => served.app.close())).toBeLessThan(PROMPT_MS);
    await closed;
  });
});

import { describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';

import { ADAPTERS } from '../support/adapters.js';
import { HTTP_HOSTS } from '../support/http-hosts.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { EVERYTHING, ListenedApp, townApp } from '../support/listening.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection, rawHead } from '../support/raw-http.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { statsOf, until, Workshop, workshopApp } from '../support/workshop.module.js';

const LISTEN = mcpRequest('subscriptions/listen', { notifications: EVERYTHING });
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} }, { id: 2 });
/** What may wait behind the first answer of a connection. */
const MOST_WAITING = 64;
const call = (name: string, args = {}, id = 1): PostedRequest =>
  mcpRequest('tools/call', { name, arguments: args }, { id });
const bytesOf = (posted: PostedRequest): string =>
  rawHead({ headers: linesOf(posted), body: posted.body }) + posted.body;

describe.each(ADAPTERS)('requests behind another one on their connection, on $name', (adapter) => {
  it('free their places when the connection closes', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    using connection = await RawConnection.open(app.origin);
    connection.write(bytesOf(LISTEN) + bytesOf(LISTEN) + bytesOf(LISTEN));
    await connection.until('acknowledged');
    await app.holds(3);
    connection.destroy();
    await app.holds(0);
    expect(app.listeners).toBe(0);
  });

  it('are aborted when the connection closes', async () => {
    await using app = await ListenedApp.serve(townApp({}, { providers: [Desk] }), adapter);
    const desk = app.app.get(Desk, { strict: false });
    using connection = await RawConnection.open(app.origin);
    connection.write(bytesOf(LISTEN) + bytesOf(WAIT));
    const signal = await desk.waiting.opened;
    connection.destroy();
    await desk.aborted.opened;
    expect(signal.reason).toMatchObject({ reason: 'client-gone' });
    desk.release.open('late');
  });

  it('cause no warning, for any number of them', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    using connection = await RawConnection.open(app.origin);
    connection.write(bytesOf(LISTEN).repeat(30));
    await connection.until('acknowledged');
    await app.holds(30);
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    connection.destroy();
    await app.holds(0);
    expect(sockets).toBeGreaterThan(0);
  });
});

describe.each(HTTP_HOSTS)('clients that send without waiting, on $name', ({ name: host, start }) => {
  const leaves = host.includes('TLS') ? (['destroy', 'end'] as const) : (['destroy', 'reset', 'end'] as const);

  it.each(leaves)('free everything when they leave by "%s" with thousands of calls', async (leave) => {
    await using app = await start(workshopApp);
    const connections = await Promise.all([RawConnection.open(app.origin), RawConnection.open(app.origin)]);
    for (const connection of connections) connection.write(bytesOf(call('obey', { name: 'one' })).repeat(3_000));
    await until(() => statsOf(app).running + statsOf(app).queued === 2 * (1 + MOST_WAITING));
    for (const connection of connections) connection[leave]();
    await until(() => statsOf(app).running === 0 && statsOf(app).queued === 0);
    expect(statsOf(app)).toMatchObject({ owners: 0, abandoned: 0 });
    for (const connection of connections) connection.destroy();
  });

  it('have the answers that fit, then one that refuses, and the end', async () => {
    await using app = await start(workshopApp);
    const workshop = app.app.get(Workshop, { strict: false });
    using connection = await RawConnection.open(app.origin);
    const further = Array.from({ length: MOST_WAITING + 10 }, (_, index) => bytesOf(call('ping', {}, 2 + index)));
    connection.write([bytesOf(call('hold', { name: 'first' })), ...further].join(''));
    const first = await workshop.started('first');
    await connection.flushed();
    // An answer on a second connection tells that the first has been read.
    using second = await RawConnection.open(app.origin);
    second.write(bytesOf(call('ping')));
    await second.answer();
    first.release.open('done');
    for (let id = 1; id <= 1 + MOST_WAITING; id += 1) {
      const { status, message } = await connection.answer();
      expect([status, message.id]).toEqual([200, id]);
    }
    const last = await connection.answer();
    expect([last.status, last.headers.get('connection'), last.headers.get('retry-after')]).toEqual([503, 'close', '1']);
    expect(last.message.error).toMatchObject({ code: -32603, message: expect.stringContaining('wait') });
    await connection.closed;
    expect(statsOf(app)).toMatchObject({ running: 0, queued: 0 });
  });

  it('are taken again once earlier answers have come', async () => {
    await using app = await start(workshopApp);
    using connection = await RawConnection.open(app.origin);
    for (let round = 0; round < 3; round += 1) {
      connection.write(bytesOf(call('ping')).repeat(MOST_WAITING));
      for (let count = 0; count < MOST_WAITING; count += 1) expect((await connection.answer()).status).toBe(200);
    }
  });
});

/** More than Node keeps of answers that wait before it stops reading. */
const LARGE = 100_000;

@Controller()
class LargeController {
  @Get('large')
  answer(): string {
    return 'x'.repeat(LARGE);
  }
}

interface Waiting {
  readonly what: string;
  /** What is sent behind a call that runs, in turn. */
  readonly pieces: readonly string[];
}

const TOO_LARGE = rawHead({ headers: linesOf(WAIT), framing: 3_000_000 }) + 'x'.repeat(2 * LARGE);
const LONG = bytesOf(call('long', { length: LARGE }));
const LARGE_ROUTE = 'GET /large HTTP/1.1\r\nhost: a\r\n\r\n';

const WAITING: readonly Waiting[] = [
  { what: 'large answers wait', pieces: [LONG, LONG, LONG] },
  { what: 'a body that was refused is on its way', pieces: [TOO_LARGE] },
];

/** Why a call that runs was aborted, whose client leaves with more behind it. */
async function leaveBehind(served: ServedApp, pieces: readonly string[]): Promise<unknown> {
  const desk = served.app.get(Desk, { strict: false });
  using connection = await RawConnection.open(served.origin);
  connection.write(bytesOf(WAIT));
  const signal = await desk.waiting.opened;
  using second = await RawConnection.open(served.origin);
  for (const piece of pieces) {
    connection.write(piece);
    await connection.flushed();
    // An answer on a second connection tells that the first has been read.
    second.write(bytesOf(call('echo', { text: 'a' })));
    await second.answer();
  }
  connection.destroy();
  await desk.aborted.opened;
  desk.release.open('late');
  await until(() => statsOf(served).running === 0);
  return signal.reason;
}

describe.each(HTTP_HOSTS)('a client behind whose call something waits, on $name', ({ start }) => {
  it.each(WAITING)('is detected to leave although $what', async ({ pieces }) => {
    await using served = await start((options) => deskApp(options));
    expect(await leaveBehind(served, pieces)).toMatchObject({ reason: 'client-gone' });
  });
});

describe.each(ADAPTERS)('a client behind whose call something waits, on $name', (adapter) => {
  it('is detected to leave although a large answer of another route waits', async () => {
    await using served = await serve(deskApp({}, { controllers: [LargeController] }), adapter);
    const pieces = [LARGE_ROUTE, bytesOf(call('echo', { text: 'a' }))];
    expect(await leaveBehind(served, pieces)).toMatchObject({ reason: 'client-gone' });
  });
});

import { describe, expect, it } from '@jest/globals';

import { ADAPTERS } from '../support/adapters.js';
import { Desk } from '../support/desk.module.js';
import { EVERYTHING, ListenedApp, townApp } from '../support/listening.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection, rawHead } from '../support/raw-http.js';

const LISTEN = mcpRequest('subscriptions/listen', { notifications: EVERYTHING });
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} }, { id: 2 });
const bytesOf = (posted: PostedRequest): string =>
  rawHead({ headers: linesOf(posted), body: posted.body }) + posted.body;

describe.each(ADAPTERS)('requests behind another one on their connection, on $name', (adapter) => {
  it('give their places back when the connection goes', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    using connection = await RawConnection.open(app.origin);
    connection.write(bytesOf(LISTEN) + bytesOf(LISTEN) + bytesOf(LISTEN));
    await connection.until('acknowledged');
    await app.holds(3);
    connection.destroy();
    await app.holds(0);
    expect(app.listeners).toBe(0);
  });

  it('are aborted when the connection goes', async () => {
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

  it('bring no warning, however many there are', async () => {
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

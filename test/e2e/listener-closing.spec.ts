import { describe, expect, it } from '@jest/globals';

import { Gate } from '../support/gate.js';
import { bytesOf, listen, listenerDesk } from '../support/listener-app.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, rawHead } from '../support/raw-http.js';

const LIST = mcpRequest('tools/list');
const WAIT = mcpRequest('tools/call', { name: 'wait', arguments: {} });
const STREAM = mcpRequest('tools/call', { name: 'wait', arguments: { steps: 1 } }, { meta: { progressToken: 1 } });
const LISTEN = mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });

/** Far below every timeout that closing would otherwise wait for, far above what a busy machine needs. */
const PROMPT_MS = 3_500;
const PATIENT = { limits: { drainTimeoutMs: 60_000 } };
const patient = { bodyTimeoutMs: 60_000, readTimeoutMs: 60_000, headTimeoutMs: 60_000 };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

describe('closing an app with its own listener', () => {
  it('waits for no connection that is idle, and takes none', async () => {
    await using app = await listen(listenerDesk(patient, PATIENT));
    using used = await app.connect();
    used.write(bytesOf(LIST));
    expect((await used.answer()).status).toBe(200);
    expect(await timed(() => app.app.close())).toBeLessThan(PROMPT_MS);
    await used.closed;
    await expect(app.connect()).rejects.toThrow('ECONNREFUSED');
    expect(app.listenerUrl).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'POST /mcp HTTP/1.1\r\nhost: a\r\n'],
    ['the head alone', rawHead({ headers: linesOf(LIST), framing: 1_000 })],
    ['half a body', rawHead({ headers: linesOf(LIST), framing: 1_000 }) + '{"jsonrpc":'],
  ])('tells a client of whose request %s has come', async (_name, bytes) => {
    await using app = await listen(listenerDesk(patient, PATIENT));
    using connection = await app.connect();
    if (bytes !== '') connection.write(bytes);
    // An answer on a second connection tells that the first has been taken.
    await app.send('tools/list');
    const closing = timed(() => app.app.close());
    const answer = await connection.answer();
    expect([answer.status, answer.message.error, answer.headers.get('connection')]).toEqual([
      503,
      { code: -32603, message: 'The server is shutting down' },
      'close',
    ]);
    await connection.closed;
    connection.destroy();
    expect(await closing).toBeLessThan(PROMPT_MS);
  });

  it('answers a client whose second request has arrived in part', async () => {
    await using app = await listen(listenerDesk(patient, PATIENT));
    using connection = await app.connect();
    connection.write(bytesOf(LIST));
    expect((await connection.answer()).status).toBe(200);
    connection.write('POST /mcp HTTP/1.1\r\n');
    await app.send('tools/list');
    const closing = timed(() => app.app.close());
    expect((await connection.answer()).status).toBe(503);
    expect(await closing).toBeLessThan(PROMPT_MS);
  });

  it('lets a running call finish, and takes no other', async () => {
    await using app = await listen(listenerDesk(patient, PATIENT));
    using connection = await app.connect();
    using spare = await app.connect();
    spare.write(bytesOf(mcpRequest('tools/call', { name: 'count', arguments: { steps: 0 } })));
    await spare.answer();
    connection.write(bytesOf(WAIT));
    const signal = await app.desk.waiting.opened;
    const closing = app.app.close();
    await spare.closed;
    await expect(app.connect()).rejects.toThrow('ECONNREFUSED');
    expect(signal.aborted).toBe(false);
    app.desk.release.open('done');
    const answer = await connection.answer();
    expect([answer.message.result.content, answer.headers.get('connection')]).toEqual([
      [{ type: 'text', text: 'done' }],
      'close',
    ]);
    await closing;
    await connection.closed;
  });

  it('refuses requests on a connection that is still busy', async () => {
    await using app = await listen(listenerDesk(patient, PATIENT));
    using connection = await app.connect();
    connection.write(bytesOf(WAIT));
    await app.desk.waiting.opened;
    const closing = app.app.close();
    connection.write(bytesOf(LIST));
    await connection.flushed();
    app.desk.release.open('done');
    expect((await connection.answer()).status).toBe(200);
    await closing;
    await connection.closed;
    expect(app.desk.calls).toEqual(['wait']);
  });

  it('gives every stream its last message', async () => {
    await using app = await listen(listenerDesk(patient, PATIENT));
    using listening = await app.connect();
    listening.write(bytesOf(LISTEN));
    await listening.until('subscriptions/acknowledged');
    using streaming = await app.connect();
    streaming.write(bytesOf(STREAM));
    await streaming.until('"progress":1');
    const closing = app.app.close();
    expect((await listening.answer()).body).toContain('"resultType":"complete"');
    await listening.closed;
    app.desk.release.open('done');
    expect((await streaming.answer()).body).toContain('done');
    await closing;
  });

  it.each([
    ['call', WAIT],
    ['stream', STREAM],
  ])('ends a %s that never does, with a last word', async (_name, posted) => {
    await using app = await listen(listenerDesk({}, { limits: { drainTimeoutMs: 50 } }));
    using connection = await app.connect();
    connection.write(bytesOf(posted));
    const signal = await app.desk.waiting.opened;
    expect(await timed(() => app.app.close())).toBeLessThan(PROMPT_MS);
    await app.desk.aborted.opened;
    expect(signal.reason).toMatchObject({ reason: 'shutdown' });
    expect((await connection.answer()).body).toContain('"message":"The server is shutting down"');
    await connection.closed;
    app.desk.release.open('late');
  });

  it('cuts off clients that take nothing, and guards that do not decide', async () => {
    const asked = new Gate();
    const undecided = new Gate<boolean>();
    const guard = {
      canActivate: () => {
        asked.open();
        return undecided.opened;
      },
    };
    await using app = await listen(listenerDesk({ guards: [guard] }, { limits: { drainTimeoutMs: 50 } }));
    using connection = await app.connect();
    connection.write(bytesOf(LIST));
    await asked.opened;
    expect(await timed(() => app.app.close())).toBeLessThan(PROMPT_MS);
    await connection.closed;
    undecided.open(true);
  });

  it('is harmless to repeat, with everything open at once', async () => {
    await using app = await listen(listenerDesk({}, { limits: { drainTimeoutMs: 100 } }));
    using slow = await app.connect();
    slow.write(bytesOf(WAIT));
    await app.desk.waiting.opened;
    using half = await app.connect();
    half.write('POST /mcp');
    await app.send('tools/list');
    expect(await timed(() => Promise.all([app.app.close(), app.app.close()]))).toBeLessThan(PROMPT_MS);
    await app.app.close();
    expect([(await slow.answer()).status, (await half.answer()).status]).toEqual([503, 503]);
    app.desk.release.open('late');
  });
});

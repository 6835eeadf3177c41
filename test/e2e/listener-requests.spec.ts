import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';
import type { CanActivate } from '@nestjs/common';

import { bytesOf, listen, listenerDesk } from '../support/listener-app.js';
import { mcpRequest } from '../support/mcp-request.js';
import { chunk, linesOf, rawHead } from '../support/raw-http.js';

const LIST = mcpRequest('tools/list');

const echo = (text: string): ReturnType<typeof mcpRequest> =>
  mcpRequest('tools/call', { name: 'echo', arguments: { text } });

/** A call whose body is exactly so many bytes long. */
const echoOf = (bytes: number): ReturnType<typeof mcpRequest> =>
  echo('x'.repeat(bytes - mcpRequest('tools/call', { name: 'echo', arguments: { text: '' } }).body.length));

describe('a request to the own listener', () => {
  it('is answered, and so are the next ones on its connection', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    for (const text of ['one', 'two', 'three']) {
      const posted = echo(text);
      connection.send({ headers: linesOf(posted), body: posted.body });
      const answer = await connection.answer();
      expect([answer.status, answer.headers.get('connection'), answer.message.result.content]).toEqual([
        200,
        'keep-alive',
        [{ type: 'text', text }],
      ]);
    }
    connection.send({ headers: linesOf(LIST), body: '{' });
    expect([(await connection.answer()).status]).toEqual([400]);
    connection.send({ headers: linesOf(LIST), body: '{"jsonrpc":"2.0","method":"notifications/cancelled"}' });
    const { status, body } = await connection.answer();
    expect([status, body]).toEqual([202, '']);
    expect(app.desk.calls).toEqual(['echo one', 'echo two', 'echo three']);
  });

  it('is answered in turn where several arrive together', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    const all = [1, 2, 3].map((id) => {
      const posted = mcpRequest('tools/call', { name: 'echo', arguments: { text: String(id) } }, { id });
      return rawHead({ headers: linesOf(posted), body: posted.body }) + posted.body;
    });
    connection.write(all.join(''));
    for (const id of [1, 2, 3]) expect((await connection.answer()).message.id).toBe(id);
  });

  it.each([
    ['/mcp', 200],
    ['/mcp?session=1', 200],
    ['/mcp?', 200],
    ['http://127.0.0.1/mcp', 200],
    ['http://127.0.0.1/mcp?x=/other', 200],
    ['/', 404],
    ['/MCP', 404],
    ['/mcp/', 404],
    ['/mcp/other', 404],
    ['/other?/mcp', 404],
    ['/%6Dcp', 404],
    ['//mcp', 404],
    ['/../mcp', 404],
    ['*', 404],
  ])('to %s gets %i', async (target, status) => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    connection.send({ target, headers: linesOf(LIST), body: LIST.body });
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
    expect(answer.message.error?.code).toBe(status === 404 ? -32600 : undefined);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('by %s is not allowed', async (method) => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    connection.send({ method, framing: 'none' });
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('allow'), answer.message.error.code]).toEqual([405, 'POST', -32600]);
    connection.send({ headers: linesOf(LIST), body: LIST.body });
    expect((await connection.answer()).status).toBe(200);
  });

  it.each<readonly [string, Readonly<Record<string, string | undefined>>, number, number | undefined]>([
    ['another content type', { 'content-type': 'text/plain' }, 415, -32600],
    ['no content type', { 'content-type': undefined }, 415, -32600],
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }, 200, undefined],
    ['a foreign Accept', { accept: 'text/html' }, 406, -32600],
    ['JSON alone', { accept: 'application/json' }, 200, undefined],
    ['an encoded body', { 'content-encoding': 'gzip' }, 415, -32600],
    ['no revision', { 'mcp-protocol-version': undefined }, 400, -32020],
    ['another method in its header', { 'mcp-method': 'tools/call' }, 400, -32020],
    ['a session', { 'mcp-session-id': 'abc' }, 200, undefined],
  ])('with %s', async (_name, headers, status, code) => {
    await using app = await listen(listenerDesk());
    const answer = await app.ask(mcpRequest('tools/list', {}, { headers }));
    expect([answer.status, answer.message.error?.code]).toEqual([status, code]);
    expect(answer.headers.has('mcp-session-id')).toBe(false);
    expect(answer.message.id).toBe(code === -32600 ? undefined : 1);
  });

  it('for an unknown method is not found, and keeps its id', async () => {
    await using app = await listen(listenerDesk());
    const { status, message } = await app.ask(mcpRequest('unknown/method', {}, { id: 'a' }));
    expect([status, message.id, message.error.code]).toEqual([404, 'a', -32601]);
  });

  it('may have a body up to the limit, in any framing', async () => {
    await using app = await listen(listenerDesk({ maxBodyBytes: 5_000 }));
    for (const framing of ['chunked', undefined] as const) {
      for (const [bytes, status] of [
        [5_000, 200],
        [5_001, 413],
      ] as const) {
        const { headers, body } = echoOf(bytes);
        using connection = await app.connect();
        connection.send({ headers: linesOf({ headers, body }), body, ...(framing && { framing }) });
        const answer = await connection.answer();
        expect([framing, bytes, answer.status]).toEqual([framing, bytes, status]);
      }
    }
    expect(app.desk.calls).toHaveLength(2);
  });

  it('needs a length where chunks are refused', async () => {
    await using app = await listen(listenerDesk({ chunkedBodies: 'refuse' }));
    using connection = await app.connect();
    connection.write(rawHead({ headers: linesOf(LIST), framing: 'chunked' }));
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([411, 'close']);
    await connection.closed;
  });

  it('may be split anywhere, inside a character too', async () => {
    await using app = await listen(listenerDesk());
    const posted = echo('héllo 日本 😀');
    const bytes = Buffer.from(posted.body);
    for (const framing of ['chunked', bytes.length] as const) {
      using connection = await app.connect();
      connection.write(rawHead({ headers: linesOf(posted), framing }));
      for (const byte of bytes) connection.write(framing === 'chunked' ? chunk(Buffer.of(byte)) : Buffer.of(byte));
      if (framing === 'chunked') connection.write('0\r\n\r\n');
      expect((await connection.answer()).message.result.content).toEqual([{ type: 'text', text: 'héllo 日本 😀' }]);
    }
  });

  it('must not be compressed', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    const body = gzipSync(LIST.body);
    connection.send({ headers: [...linesOf(LIST), ['content-encoding', 'gzip']], body });
    expect((await connection.answer()).status).toBe(415);
  });

  it('is refused if its address has too many unanswered requests, on any connection', async () => {
    await using app = await listen(listenerDesk({ maxRequestsPerAddress: 2 }));
    const wait = bytesOf(mcpRequest('tools/call', { name: 'wait', arguments: {} }));
    using one = await app.connect();
    using two = await app.connect();
    for (const connection of [one, two]) connection.write(wait);
    while (app.desk.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const origin = 'http://localhost:4000';
    const answer = await app.ask(mcpRequest('tools/list', {}, { headers: { origin } }));
    const { status, headers, message, body } = answer;
    expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '1', 'close']);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect([message.error, body.includes('"id"')]).toEqual([
      { code: -32603, message: 'Too many requests from one address at once; try again later' },
      false,
    ]);
    // What is refused anyway takes no place.
    expect((await app.ask(mcpRequest('tools/list', {}, { headers: { origin: 'http://evil.example' } }))).status).toBe(
      403,
    );
    app.desk.release.open('released');
    for (const connection of [one, two]) expect((await connection.answer()).status).toBe(200);
    one.write(bytesOf(LIST).repeat(2));
    expect([(await one.answer()).status, (await one.answer()).status]).toEqual([200, 200]);
  });

  it('is refused no longer when a client with requests in line has left', async () => {
    await using app = await listen(listenerDesk({ maxRequestsPerAddress: 2 }));
    using leaving = await app.connect();
    const wait = mcpRequest('tools/call', { name: 'wait', arguments: {} });
    leaving.write(bytesOf(wait) + bytesOf(LIST));
    while (app.desk.calls.length < 1) await new Promise((resolve) => setImmediate(resolve));
    expect((await app.ask(LIST)).status).toBe(503);
    leaving.destroy();
    await app.desk.aborted.opened;
    expect((await app.ask(LIST)).status).toBe(200);
    app.desk.release.open('late');
  });

  it('gets 100 Continue only after its head was admitted', async () => {
    const guard: CanActivate = {
      canActivate: (context) => context.switchToHttp().getRequest<IncomingMessage>().headers.authorization !== 'wrong',
    };
    await using app = await listen(listenerDesk({ guards: [guard] }));
    for (const [headers, status] of [
      [{}, 100],
      [{ authorization: 'wrong' }, 403],
      [{ 'content-encoding': 'gzip' }, 415],
      [{ 'content-type': 'text/plain' }, 415],
      [{ origin: 'http://evil.example' }, 403],
    ] as const) {
      const posted = mcpRequest('tools/list', {}, { headers });
      using connection = await app.connect();
      connection.write(
        rawHead({ headers: [...linesOf(posted), ['expect', '100-continue']], framing: posted.body.length }),
      );
      expect((await connection.answer()).status).toBe(status);
      if (status !== 100) continue;
      connection.write(posted.body);
      expect((await connection.answer()).status).toBe(200);
    }
  });
});

import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';

import { McpModule } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { mcpRequest } from '../support/mcp-request.js';
import { NODE_HOSTS } from '../support/node-hosts.js';
import { chunk, linesOf, rawHead, RawConnection, type HeaderLines } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';

/** The package has no types. */
const { json } = createRequire(import.meta.url)('express') as { readonly json: (options: object) => () => void };

const LIST = mcpRequest('tools/list');

const DISCOVER = mcpRequest('server/discover');

/** JavaScript has no such number. */
const LONG_ID = { ...DISCOVER, body: DISCOVER.body.replace('"id":1', '"id":9007199254740993') };

/** A call whose body is exactly so many bytes long. */
function echoOf(bytes: number): ReturnType<typeof mcpRequest> {
  const empty = mcpRequest('tools/call', { name: 'echo', arguments: { text: '' } });
  return mcpRequest('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(bytes - empty.body.length) } });
}

describe.each(ADAPTERS)('the body of a request on $name', (adapter) => {
  it('may have up to the maximum length, in any framing', async () => {
    await using served = await serve(deskApp({ http: { maxBodyBytes: 5_000 } }), adapter);
    for (const framing of ['chunked', undefined] as const) {
      for (const [bytes, status] of [
        [5_000, 200],
        [5_001, 413],
      ] as const) {
        const { headers, body } = echoOf(bytes);
        using connection = await RawConnection.open(served.origin);
        connection.send({ headers: linesOf({ headers, body }), body, ...(framing && { framing }) });
        const answer = await connection.answer();
        expect({ framing, bytes: body.length, status: answer.status }).toEqual({ framing, bytes, status });
        const { error } = status === 413 ? answer.message : { error: undefined };
        expect([error?.code, answer.body.includes('"id"')]).toEqual(
          status === 413 ? [-32600, false] : [undefined, true],
        );
      }
    }
    expect(served.app.get(Desk).calls).toHaveLength(2);
  });

  it('may be far longer than the limits of the usual parsers', async () => {
    await using served = await serve(deskApp(), adapter);
    const { message } = await served.call('echo', { text: 'x'.repeat(1_500_000) });
    expect((message.result.content as unknown as { text: string }[])[0]?.text).toHaveLength(1_500_000);
  });

  it('is refused by its declared length before a byte of it is sent', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.write(rawHead({ headers: linesOf(LIST), framing: 2_000_001 }));
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close']);
    await connection.closed;
  });

  it('stops being read soon after the limit, and the client still gets its answer', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.write(rawHead({ headers: linesOf(LIST), framing: 'chunked' }));
    const piece = chunk(Buffer.alloc(1_048_576, 'x'));
    const answer = connection.answer();
    for (let sent = 0; sent < 64 && !connection.ended; sent += 1) {
      connection.write(piece);
      await Promise.race([connection.flushed(), connection.closed]);
    }
    expect((await answer).status).toBe(413);
    expect((await answer).message.error.code).toBe(-32600);
    await connection.closed;
    // The rest is what lies in buffers of the operating system.
    expect(connection.bytesWritten).toBeLessThan(32 * 1_048_576);
  });

  it('frees its connection when the client leaves after a refusal', async () => {
    await using served = await serve(deskApp(), adapter);
    const server = served.app.getHttpServer() as Server;
    const freed = new Promise((resolve) =>
      server.once('connection', (socket: Socket) => socket.once('close', resolve)),
    );
    // Without timers, only the end of the request stream can close the connection.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
    try {
      using connection = await RawConnection.open(served.origin);
      connection.write(rawHead({ headers: linesOf(LIST), framing: 3_000_000 }) + 'x'.repeat(300_000));
      expect((await connection.answer()).status).toBe(413);
      connection.destroy();
      await freed;
    } finally {
      jest.useRealTimers();
    }
  });

  it('must arrive as a whole in time, even if it arrives steadily', async () => {
    await using served = await serve(deskApp({ http: { bodyTimeoutMs: 150, readTimeoutMs: 60_000 } }), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.write(rawHead({ headers: linesOf(LIST), framing: 10_000 }));
    const trickle = setInterval(() => connection.write('{'), 10);
    try {
      const answer = await connection.answer();
      expect([answer.status, answer.message.error.code, answer.headers.get('connection')]).toEqual([
        408,
        -32600,
        'close',
      ]);
    } finally {
      clearInterval(trickle);
    }
    await connection.closed;
  });

  it.each([
    ['after half a body', '{"jsonrpc"'],
    ['after the head alone', ''],
  ])('may not pause for long %s', async (_name, half) => {
    await using served = await serve(deskApp({ http: { bodyTimeoutMs: 60_000, readTimeoutMs: 50 } }), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.write(rawHead({ headers: linesOf(LIST), framing: 500 }) + half);
    expect((await connection.answer()).status).toBe(408);
    await connection.closed;
  });

  it('may be split anywhere, inside a character too', async () => {
    await using served = await serve(deskApp(), adapter);
    const { headers, body } = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'héllo 日本 😀' } });
    const bytes = Buffer.from(body);
    for (const framing of ['chunked', bytes.length] as const) {
      using connection = await RawConnection.open(served.origin);
      connection.write(rawHead({ headers: linesOf({ headers, body }), framing }));
      for (const byte of bytes) connection.write(framing === 'chunked' ? chunk(Buffer.of(byte)) : Buffer.of(byte));
      if (framing === 'chunked') connection.write('0\r\n\r\n');
      const answer = await connection.answer();
      expect(answer.message.result.content).toEqual([{ type: 'text', text: 'héllo 日本 😀' }]);
    }
  });

  it('may begin with a byte order mark', async () => {
    await using served = await serve(deskApp(), adapter);
    expect((await served.post({ ...LIST, body: `\ufeff${LIST.body}` }, 'tools/list')).status).toBe(200);
  });

  it('must be UTF-8', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    const broken = Buffer.from(LIST.body.replace('"id":1', '"id":"\u00e9"'), 'latin1');
    connection.send({ headers: linesOf(LIST), body: broken });
    const answer = await connection.answer();
    expect([answer.status, answer.message.error.code]).toEqual([400, -32700]);
  });

  it('must not be encoded', async () => {
    await using served = await serve(deskApp(), adapter);
    for (const [encoding, body, status] of [
      ['gzip', gzipSync(LIST.body), 415],
      ['br', Buffer.from(LIST.body), 415],
      ['identity', Buffer.from(LIST.body), 200],
    ] as const) {
      using connection = await RawConnection.open(served.origin);
      connection.send({ headers: [...linesOf(LIST), ['content-encoding', encoding]], body });
      const answer = await connection.answer();
      expect({ encoding, status: answer.status }).toEqual({ encoding, status });
    }
  });

  it('needs a length where chunks are refused, and is not read without', async () => {
    await using served = await serve(deskApp({ http: { chunkedBodies: 'refuse' } }), adapter);
    using chunked = await RawConnection.open(served.origin);
    chunked.write(rawHead({ headers: linesOf(LIST), framing: 'chunked' }));
    const answer = await chunked.answer();
    expect([answer.status, answer.message.error.code]).toEqual([411, -32600]);
    await chunked.closed;
    expect((await served.send('tools/list')).status).toBe(200);
  });

  it('is freed when its client leaves in the middle', async () => {
    await using served = await serve(deskApp(), adapter);
    const server = served.app.getHttpServer() as {
      getConnections(done: (error: unknown, count: number) => void): void;
    };
    for (let round = 0; round < 20; round += 1) {
      using connection = await RawConnection.open(served.origin);
      connection.write(`${rawHead({ headers: linesOf(LIST), framing: LIST.body.length })}{`);
      await connection.flushed();
    }
    expect((await served.send('tools/list')).status).toBe(200);
    expect(served.app.get(Desk).calls).toEqual([]);
    // Only closing tells whether the server still waits for one of them.
    const started = performance.now();
    await served.app.close();
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
  });

  it('may have been read by a middleware of the app', async () => {
    const configure = (app: INestApplication): void => {
      app.use(json({ type: '*/*', limit: '1mb' }));
    };
    await using served = await serve(deskApp(), adapter, { configure });
    const { message } = await served.call('echo', { text: 'read before' }, { id: 'a' });
    expect([message.id, message.result.content]).toEqual(['a', [{ type: 'text', text: 'read before' }]]);
    expect((await served.post({ ...LIST, body: '[]' })).message.error.code).toBe(-32600);
  });

  it('is missed with one warning for each server where a middleware of the app reads it', async () => {
    const log = new CapturedLog();
    const configure = (app: INestApplication): void => {
      log.attach(app.enableShutdownHooks().use(json({ type: '*/*' })));
    };
    const second = McpModule.forRoot({ name: 'second', version: '1.0.0', server: 'second', path: '/second' });
    await using served = await serve({ module: class {}, imports: [deskApp(), second] }, adapter, { configure });
    expect(log.texts('warn')).toEqual([]);
    for (const path of ['/mcp', '/second', '/mcp', '/second']) {
      const response = await fetch(`${served.origin}${path}`, { method: 'POST', ...LONG_ID });
      expect(await response.text()).toContain('"id":9007199254740992');
    }
    expect(log.texts('warn')).toEqual(
      ['/mcp', '/second'].map(
        (path) =>
          `The app reads bodies before the MCP endpoint ${path} does, so limits such as http.maxBodyBytes do not hold, and ids that are long numbers may change. Let its body parser skip ${path}.`,
      ),
    );
  });

  it('is left alone by parsers that skip it, and no warning follows', async () => {
    const log = new CapturedLog();
    const parse = json({ type: '*/*' }) as (request: { readonly url: string }, ...rest: readonly unknown[]) => void;
    const configure = (app: INestApplication): void => {
      app.enableShutdownHooks().use(json({}));
      app.use((request: { readonly url: string }, response: unknown, next: () => void) =>
        request.url === '/mcp' ? next() : parse(request, response, next),
      );
      log.attach(app);
    };
    await using served = await serve(deskApp(), adapter, { configure });
    const response = await fetch(served.url, { method: 'POST', ...LONG_ID });
    expect(await response.text()).toContain('"id":9007199254740993');
    expect((await served.post({ ...LIST, body: '' })).status).toBe(400);
    expect(log.texts('warn').filter((text) => text.includes('bodies'))).toEqual([]);
  });
});

describe.each(NODE_HOSTS)('a body after Expect: 100-continue, sent to $name', (host) => {
  const expecting = (lines: HeaderLines, framing: number | 'chunked' = LIST.body.length): string =>
    rawHead({ headers: [...lines, ['expect', '100-continue']], framing });

  it('gets it as soon as a client asks', async () => {
    await using app = await host.start();
    using connection = await app.connect();
    connection.write(expecting(linesOf(LIST)));
    expect((await connection.answer()).status).toBe(100);
    connection.write(LIST.body);
    expect((await connection.answer()).status).toBe(200);
  });

  it('gets it only for a head that is admitted, where the server lets others decide', async () => {
    await using app = await host.start({ maxBodyBytes: 5_000, chunkedBodies: 'refuse', allowedHosts: ['loopback'] });
    // The own listener does so by itself.
    app.server?.on('checkContinue', (request, response) => app.server?.emit('request', request, response));
    const but = (name: string, value: string): HeaderLines =>
      linesOf(mcpRequest('tools/list', {}, { headers: { [name]: value } }));
    for (const [bytes, status] of [
      [expecting(but('origin', 'http://evil.example')), 403],
      [expecting(but('host', 'evil.example')), 403],
      [expecting(but('content-type', 'text/plain')), 415],
      [expecting(but('content-encoding', 'gzip')), 415],
      [expecting(but('accept', 'text/html')), 406],
      [expecting(linesOf(LIST), 5_001), 413],
      [expecting(linesOf(LIST), 'chunked'), 411],
      [expecting(linesOf(LIST)).replace('POST', 'PUT'), 405],
      [expecting(linesOf(LIST)).replace('HTTP/1.1', 'HTTP/2.0'), 505],
    ] as const) {
      using connection = await app.connect();
      connection.write(bytes);
      const answer = await connection.answer();
      expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close']);
      await connection.closed;
    }
    using admitted = await app.connect();
    admitted.write(expecting([...linesOf(LIST)], 5_000));
    expect((await admitted.answer()).status).toBe(100);
    admitted.write(echoOf(5_000).body);
    expect((await admitted.answer()).status).toBe(400);
    using served = await app.connect();
    served.write(expecting(linesOf(LIST)));
    expect((await served.answer()).status).toBe(100);
    served.write(LIST.body);
    const answer = await served.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'keep-alive']);
    app.server?.removeAllListeners('checkContinue');
  });
});

describe.each(NODE_HOSTS)('all bodies that arrive at $name', (host) => {
  it('may hold so much for one address, and not a byte more', async () => {
    await using app = await host.start({ maxBodyBytes: 5_000, maxPendingBodyBytes: 10_000 });
    const list = { ...LIST, headers: linesOf(LIST) };
    /** Whatever was written before has been read when this is answered, since the server reads from all connections in turn. */
    const passed = async (): Promise<number> => (await app.ask(rawHead(list) + list.body)).status;
    using held = await app.connect();
    held.write(`${rawHead({ ...list, framing: 5_000 })}${' '.repeat(4_999)}`);
    expect(await passed()).toBe(200);
    using refused = await app.connect();
    refused.write(`${rawHead({ ...list, framing: 5_000 })} `);
    const answer = await refused.answer();
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ]);
    expect([answer.message.error, answer.body.includes('"id"')]).toEqual([
      { code: -32603, message: 'The server is receiving too much; try again later' },
      false,
    ]);
    await refused.closed;
    // What came with its head is not held for anybody.
    expect(await passed()).toBe(200);
    held.destroy();
    expect(await passed()).toBe(200);
    using later = await app.connect();
    later.write(`${rawHead({ ...list, framing: 5_000 })}${' '.repeat(4_999)}`);
    expect(await passed()).toBe(200);
    later.write('{');
    expect((await later.answer()).status).toBe(400);
  });
});

describe.each(ADAPTERS)('a connection on $name', (adapter) => {
  it('serves one request after the other', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    const good = { headers: linesOf(LIST), body: LIST.body };
    for (const [request, status] of [
      [good, 200],
      [{ ...good, body: '{' }, 400],
      [{ ...good, body: '{"jsonrpc":"2.0","method":"notifications/cancelled"}' }, 202],
      [{ ...good, framing: 'chunked' }, 200],
      [{ method: 'GET', framing: 'none' }, 405],
      [good, 200],
    ] as const) {
      connection.send(request);
      const answer = await connection.answer();
      expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'keep-alive']);
    }
  });

  it('serves requests that arrive together, in their order', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    const all = [1, 2, 3].map((id) => {
      const posted = mcpRequest('tools/call', { name: 'echo', arguments: { text: String(id) } }, { id });
      return rawHead({ headers: linesOf(posted), body: posted.body }) + posted.body;
    });
    connection.write(all.join(''));
    for (const id of [1, 2, 3]) expect((await connection.answer()).message.id).toBe(id);
  });

  it.each([
    ['a wrong content type', [['content-type', 'text/plain']], 415],
    ['a foreign Origin', [['origin', 'http://evil.example']], 403],
  ] as const)('ends with a refusal that leaves bytes unread: %s', async (_name, headers, status) => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.write(rawHead({ headers, framing: 100_000 }));
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close']);
    await connection.closed;
  });

  it('is not reset by a refusal while its client is still sending, since it would lose the answer', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin, { allowHalfOpen: true });
    connection.write(rawHead({ headers: [['content-type', 'text/plain']], framing: 300_000 }));
    expect((await connection.answer()).status).toBe(415);
    await connection.closed;
    for (let sent = 0; sent < 2; sent += 1) connection.write(Buffer.alloc(100_000, ' '));
    await connection.flushed();
    expect(await connection.finish(Buffer.alloc(100_000, ' '))).toBe('ended');
  });

  it('runs nothing that comes after a refusal which ends it', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin, { allowHalfOpen: true });
    const call = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'smuggled' } });
    connection.write(rawHead({ headers: [['content-type', 'text/plain']], framing: 4 }));
    expect((await connection.answer()).status).toBe(415);
    await connection.closed;
    expect(await connection.finish(`1234${rawHead({ headers: linesOf(call), body: call.body })}${call.body}`)).toBe(
      'ended',
    );
    expect((await served.send('tools/list')).status).toBe(200);
    expect(served.app.get(Desk).calls).toEqual([]);
  });

  it('ends for clients that ask for it', async () => {
    await using served = await serve(deskApp(), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: [...linesOf(LIST), ['connection', 'close']], body: LIST.body });
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await connection.closed;
  });
});

import { describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, oneof, string, uint8Array } from 'fast-check';

import { bytesOf, listen, listenerDesk, type ListenerApp } from '../support/listener-app.js';
import { mcpRequest } from '../support/mcp-request.js';
import { chunk, linesOf, rawHead, RawConnection } from '../support/raw-http.js';

const LIST = mcpRequest('tools/list');
const SMUGGLED = bytesOf(mcpRequest('tools/call', { name: 'echo', arguments: { text: 'smuggled' } }));
const HEADERS = linesOf(LIST)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Everything that a head needs, but for what a row adds. */
const post = (lines: string, body = '', version = '1.1'): string =>
  `POST /mcp HTTP/${version}\r\nhost: localhost\r\n${HEADERS}${lines}\r\n${body}`;

/** The status of the answer, or `closed`; whatever came, it is the last of its connection. */
async function verdictOf(app: ListenerApp, bytes: string | Uint8Array): Promise<number | 'closed'> {
  using connection = await app.connect({ allowHalfOpen: true });
  connection.write(bytes);
  try {
    const { status, headers, body } = await connection.answer();
    expect([headers.get('connection'), headers.get('content-type')]).toEqual(['close', 'application/json']);
    expect(body.length).toBeLessThan(200);
    await connection.closed;
    return status;
  } catch (error) {
    if (!connection.ended) throw error;
    return 'closed';
  }
}

async function serves(app: ListenerApp): Promise<void> {
  expect((await app.send('tools/list')).status).toBe(200);
}

describe('bytes that make no request', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an earlier version', post('content-length: 0\r\n', '', '0.9')],
    ['a version that has no request line', post('content-length: 0\r\n', '', '2.0')],
    ['a later version', post('content-length: 0\r\n', '', '3.0')],
    ['a line without a colon', post('garbage\r\n')],
    ['a line without a name', post(': value\r\n')],
    ['a space before the colon', post('content-length : 5\r\n', '12345')],
    ['a folded first line', 'POST /mcp HTTP/1.1\r\n host: localhost\r\n\r\n'],
    ['a zero byte', post('x: a\0b\r\n')],
    ['no Host', 'POST /mcp HTTP/1.1\r\ncontent-length: 0\r\n\r\n'],
    ['two Host lines', post('host: other\r\ncontent-length: 0\r\n')],
    ['a length in hexadecimal', post('content-length: 0x10\r\n')],
    ['a negative length', post('content-length: -1\r\n')],
    ['a length with a sign', post('content-length: +5\r\n', '12345')],
    ['an empty length', post('content-length: \r\n')],
    ['a length beyond all numbers', post(`content-length: ${'9'.repeat(40)}\r\n`)],
    ['a list of lengths', post('content-length: 5, 5\r\n', '12345')],
    ['two lengths', post('content-length: 5\r\ncontent-length: 5\r\n', '12345')],
    ['two lengths that differ', post('content-length: 0\r\ncontent-length: 50\r\n')],
    ['length and chunks', post('content-length: 5\r\ntransfer-encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['chunks and length', post('transfer-encoding: chunked\r\ncontent-length: 5\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['an unknown coding', post('transfer-encoding: xchunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['a coding below chunks', post('transfer-encoding: gzip, chunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['chunks that are not last', post('transfer-encoding: chunked, identity\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['chunks in HTTP/1.0', post('transfer-encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`, '1.0')],
    ['a chunk of no size', post('transfer-encoding: chunked\r\n', 'zz\r\n')],
    ['a chunk of a negative size', post('transfer-encoding: chunked\r\n', '-1\r\n')],
    ['a chunk of an absurd size', post('transfer-encoding: chunked\r\n', 'ffffffffffffffffff\r\n')],
    ['a chunk longer than it says', post('transfer-encoding: chunked\r\n', '1\r\nabc\r\n0\r\n\r\n')],
    ['extensions of a chunk without end', post('transfer-encoding: chunked\r\n', `1;${'x'.repeat(20_000)}`)],
  ])('%s: refused, the connection ends, nothing runs, and the listener serves', async (_name, bytes) => {
    await using app = await listen(listenerDesk());
    expect([400, 413, 501, 505, 'closed']).toContain(await verdictOf(app, bytes));
    await serves(app);
    expect(app.desk.calls).toEqual([]);
  });

  it('get an error that names the problem', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect();
    connection.write('hello\r\n\r\n');
    const answer = await connection.answer();
    expect([answer.status, answer.message.error, answer.body.includes('"id"')]).toEqual([
      400,
      { code: -32600, message: 'The request is malformed' },
      false,
    ]);
    await connection.closed;
  });

  it('cut off no answer that is under way', async () => {
    await using app = await listen(listenerDesk());
    const posted = mcpRequest('tools/call', { name: 'wait', arguments: { steps: 1 } }, { meta: { progressToken: 1 } });
    using connection = await app.connect();
    connection.write(`${bytesOf(posted)}garbage\r\n\r\n`);
    // A second head in the middle of a stream would be taken for an event.
    await connection.closed;
    expect(await connection.until('').then((text) => text.match(/HTTP\/1\.1/g)?.length ?? 0)).toBeLessThan(2);
    app.desk.release.open('late');
    await serves(app);
  });

  it('are refused or end the connection, for any bytes', async () => {
    await using app = await listen(listenerDesk({ headTimeoutMs: 100 }));
    const token = constantFrom('POST', 'GET', '/mcp', 'HTTP/1.1', ' ', '\r\n', '\n', ':', 'host', 'x', '\0', 'é');
    const bytes = oneof(
      uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
      array(token, { maxLength: 40 }).map((tokens) => Buffer.from(tokens.join(''))),
      string().map((text) => Buffer.from(`POST /mcp HTTP/1.1\r\nhost: a\r\n${text}\r\n\r\n`)),
    );
    await assert(
      asyncProperty(bytes, async (head) => {
        using connection = await RawConnection.open(app.origin);
        connection.write(head);
        connection.write('\r\n\r\n');
        const status = await connection.answer().then(
          (answer) => answer.status,
          () => 'closed' as const,
        );
        const [requestLine = ''] = head.toString('latin1').trimStart().split(/\r?\n/);
        const lacksVersion = status === 505 && !requestLine.includes(' HTTP/');
        expect(status === 'closed' || lacksVersion || Math.floor(status / 100) === 4).toBe(true);
        await serves(app);
      }),
      { numRuns: 150, examples: [[Buffer.from('POST /mcp')]] },
    );
    expect(app.desk.calls).toEqual([]);
  });
});

describe('a head', () => {
  it('may be as large as the limit and not larger', async () => {
    await using app = await listen(listenerDesk({ maxHeadBytes: 4_096 }));
    const fitting = mcpRequest('tools/list', {}, { headers: { 'x-filler': 'x'.repeat(3_500) } });
    expect((await app.ask(fitting)).status).toBe(200);
    expect(
      await verdictOf(app, bytesOf({ ...LIST, headers: { ...LIST.headers, 'x-filler': 'x'.repeat(4_100) } })),
    ).toBe(431);
    await serves(app);
  });

  it('may hold 32 KiB by default', async () => {
    await using app = await listen(listenerDesk());
    const filled = (bytes: number): string =>
      bytesOf({ ...LIST, headers: { ...LIST.headers, 'x-filler': 'x'.repeat(bytes) } });
    using connection = await app.connect();
    connection.write(filled(32_000));
    expect((await connection.answer()).status).toBe(200);
    expect(await verdictOf(app, filled(33_000))).toBe(431);
  });

  it('is checked as a whole, with any number of lines', async () => {
    await using app = await listen(listenerDesk());
    const lines = Array.from({ length: 2_500 }, (_, n) => [`x${n}`, ''] as const);
    using connection = await app.connect();
    connection.send({
      headers: [...linesOf(LIST), ...lines, ['origin', 'http://evil.example']],
      body: LIST.body,
    });
    expect((await connection.answer()).status).toBe(403);
  });

  it('must arrive as a whole in time, even if it arrives steadily', async () => {
    await using app = await listen(listenerDesk({ headTimeoutMs: 150 }));
    using connection = await app.connect();
    connection.write('POST /mcp HTTP/1.1\r\nhost: localhost\r\nx: ');
    const trickle = setInterval(() => connection.write('y'), 20);
    try {
      expect((await connection.answer()).status).toBe(408);
    } finally {
      clearInterval(trickle);
    }
    await connection.closed;
    await serves(app);
  });

  it('must arrive in time after an earlier request too', async () => {
    await using app = await listen(listenerDesk({ headTimeoutMs: 150, idleTimeoutMs: 60_000 }));
    using connection = await app.connect();
    connection.write(bytesOf(LIST));
    expect((await connection.answer()).status).toBe(200);
    connection.write('POST /mcp HTTP/1.1\r\n');
    expect((await connection.answer()).status).toBe(408);
    await connection.closed;
  });

  it('must come at all', async () => {
    await using app = await listen(listenerDesk({ headTimeoutMs: 150 }));
    using connection = await app.connect();
    expect((await connection.answer()).status).toBe(408);
    await connection.closed;
  });
});

describe('a body', () => {
  it('must arrive as a whole in time, even if it arrives steadily', async () => {
    await using app = await listen(listenerDesk({ bodyTimeoutMs: 150, readTimeoutMs: 60_000 }));
    using connection = await app.connect();
    connection.write(rawHead({ headers: linesOf(LIST), framing: 'chunked' }));
    const trickle = setInterval(() => connection.write(chunk('{')), 10);
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

  it('may not pause for long', async () => {
    await using app = await listen(listenerDesk({ readTimeoutMs: 50 }));
    using connection = await app.connect();
    connection.write(rawHead({ headers: linesOf(LIST), framing: 500 }) + '{');
    expect((await connection.answer()).status).toBe(408);
    await connection.closed;
  });

  it('that is refused unread still lets its client read the answer', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect({ allowHalfOpen: true });
    connection.write(rawHead({ headers: [['content-type', 'text/plain']], framing: 300_000 }));
    expect((await connection.answer()).status).toBe(415);
    await connection.closed;
    for (let sent = 0; sent < 2; sent += 1) connection.write(Buffer.alloc(100_000, ' '));
    await connection.flushed();
    expect(await connection.finish(Buffer.alloc(100_000, ' '))).toBe('ended');
  });

  it('hides no request behind a refusal', async () => {
    await using app = await listen(listenerDesk());
    using connection = await app.connect({ allowHalfOpen: true });
    connection.write(rawHead({ target: '/other', headers: [['content-type', 'text/plain']], framing: 4 }));
    expect((await connection.answer()).status).toBe(404);
    await connection.closed;
    expect(await connection.finish(`1234${SMUGGLED}`)).toBe('ended');
    await serves(app);
    expect(app.desk.calls).toEqual([]);
  });
});

describe('connections', () => {
  it.each([
    ['all', { maxConnections: 2, maxConnectionsPerAddress: 2 }],
    ['one address', { maxConnections: 10, maxConnectionsPerAddress: 2 }],
    ['one address by default', { maxConnections: 4 }],
  ])('beyond the limit of %s are closed unread, and come back when others end', async (_name, bounds) => {
    await using app = await listen(listenerDesk(bounds));
    const held = [await app.connect(), await app.connect()];
    for (const connection of held) {
      connection.write(bytesOf(LIST));
      expect((await connection.answer()).status).toBe(200);
    }
    using extra = await app.connect();
    extra.write(bytesOf(LIST));
    await extra.closed;
    expect(await extra.until('')).toBe('');
    held[0]?.destroy();
    let served = false;
    while (!served) {
      using next = await app.connect();
      next.write(bytesOf(LIST));
      served = await next.answer().then(
        ({ status }) => status === 200,
        () => false,
      );
    }
    held[1]?.destroy();
  });

  it('that are idle for too long are closed', async () => {
    await using app = await listen(listenerDesk({ idleTimeoutMs: 50 }));
    using connection = await app.connect();
    connection.write(bytesOf(LIST));
    expect((await connection.answer()).headers.get('connection')).toBe('keep-alive');
    await connection.closed;
  });

  it('for a tunnel or another protocol are refused', async () => {
    await using app = await listen(listenerDesk());
    using tunnel = await app.connect();
    tunnel.write('CONNECT localhost:80 HTTP/1.1\r\nhost: localhost:80\r\n\r\n');
    await tunnel.closed;
    using upgraded = await app.connect();
    upgraded.send({
      headers: [...linesOf(LIST), ['connection', 'Upgrade'], ['upgrade', 'websocket']],
      body: LIST.body,
    });
    expect((await upgraded.answer()).status).toBe(200);
  });
});

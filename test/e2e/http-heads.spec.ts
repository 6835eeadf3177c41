import type { OutgoingHttpHeaders } from 'node:http2';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { mcpRequest } from '../support/mcp-request.js';
import { HTTP2_HOSTS, NODE_HOSTS, statusOverHttp2, type HostedDesk, type NodeHost } from '../support/node-hosts.js';
import { linesOf, rawHead, type HeaderLines, type RawAnswer } from '../support/raw-http.js';

const CALL = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'hello' } });
const LINES = linesOf(CALL);

/** One host for the tests of a block; none of them leaves a trace. */
function shareHost(host: NodeHost): { readonly app: HostedDesk } {
  let app: HostedDesk | undefined;
  beforeAll(async () => {
    app = await host.start({ allowedHosts: ['loopback'] });
  });
  beforeEach(() => {
    app?.desk.calls.splice(0);
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
  });
  return {
    get app() {
      if (app === undefined) throw new Error('The host is there once the block runs.');
      return app;
    },
  };
}

const call = (lines: HeaderLines): string => rawHead({ headers: lines, body: CALL.body }) + CALL.body;

/** So many headers without meaning. */
const filler = (count: number): HeaderLines => Array.from({ length: count }, () => ['x', ''] as const);

/** The same head with another framing of the body, or another version. */
const framed = (framing: string, version = '1.1'): string =>
  `POST /mcp HTTP/${version}\r\nhost: localhost\r\n${LINES.map(([name, value]) => `${name}: ${value}\r\n`).join('')}${framing}\r\n\r\n`;

const CHUNKS = `${Buffer.byteLength(CALL.body).toString(16)}\r\n${CALL.body}\r\n0\r\n\r\n`;
const SECOND = call(LINES);
const LENGTH = `content-length: ${Buffer.byteLength(CALL.body)}`;

function expectRefusal(answer: RawAnswer, status: number, message: string): void {
  expect([answer.status, answer.headers.get('connection'), answer.headers.get('content-type')]).toEqual([
    status,
    'close',
    expect.stringMatching(/^application\/json/),
  ]);
  expect([answer.message.error, answer.body.includes('"id"')]).toEqual([{ code: -32600, message }, false]);
  expect(answer.headers.get('access-control-allow-origin')).toBeUndefined();
}

/** Node 22 and later refuse by themselves what is far beyond the bound, in words of their own. */
function expectTooMany(answer: RawAnswer, max: number): void {
  expect(answer.status).toBe(431);
  if (answer.body.includes('"jsonrpc"')) expectRefusal(answer, 431, `Send fewer than ${max} headers`);
}

describe.each(NODE_HOSTS)('the head of a request to $name', (host) => {
  const shared = shareHost(host);

  it.each<readonly [string, string, number, string]>([
    ['an earlier version', framed(LENGTH, '0.9') + CALL.body, 505, 'Use HTTP/1.1'],
    ['a version that has no request line', framed(LENGTH, '2.0') + CALL.body, 505, 'Use HTTP/1.1'],
    ['a coding below chunks', framed('transfer-encoding: gzip, chunked'), 501, 'The only transfer coding is chunked'],
    [
      'codings on two lines',
      framed('transfer-encoding: gzip\r\ntransfer-encoding: chunked'),
      501,
      'The only transfer coding is chunked',
    ],
    ['no coding below chunks', framed('transfer-encoding: , chunked'), 501, 'The only transfer coding is chunked'],
    ['a parameter', framed('transfer-encoding: chunked;q=1'), 501, 'The only transfer coding is chunked'],
    ['chunks in HTTP/1.0', framed('transfer-encoding: chunked', '1.0'), 400, 'Chunks do not belong to HTTP/1.0'],
    ['two Host lines', call([...LINES, ['host', 'localhost'], ['HOST', 'localhost']]), 400, 'Send one Host header'],
    ['two media types', call([...LINES, ['content-type', 'text/plain']]), 415, 'Send one Content-Type header'],
    [
      'a media type twice',
      call([...LINES, ['Content-Type', CALL.headers['content-type'] ?? '']]),
      415,
      'Send one Content-Type header',
    ],
  ])('with %s is refused, and nothing runs', async (_name, bytes, status, message) => {
    using connection = await shared.app.connect();
    // Where a head can be read in two ways, what follows may be the rest of that request.
    const rest = status === 415 ? '' : SECOND;
    connection.write(bytes + (bytes.endsWith(CALL.body) ? rest : CHUNKS + rest));
    expectRefusal(await connection.answer(), status, message);
    await connection.closed;
    expect(shared.app.desk.calls).toEqual([]);
  });

  it.each([
    ['chunks in another case', framed('transfer-encoding: Chunked') + CHUNKS],
    ['HTTP/1.0', framed(LENGTH, '1.0') + CALL.body],
  ])('with %s is accepted', async (_name, bytes) => {
    expect((await shared.app.ask(bytes)).status).toBe(200);
    expect(shared.app.desk.calls).toEqual(['echo hello']);
  });
});

describe.each(NODE_HOSTS)('the number of headers of a request to $name', (host) => {
  const shared = shareHost(host);
  /** All that `call` sends by itself: those of the protocol, Host and Content-Length. */
  const own = LINES.length + 2;
  const evil = [['origin', 'http://evil.example']] as const;

  it.each([1_000, 1_200, 3_000])('hides no Origin behind %i of them', async (count) => {
    const answer = await shared.app.ask(call([...LINES, ...filler(count), ...evil]));
    // The own listener drops none.
    if (host.name === 'own listener') {
      expectRefusal(answer, 403, 'Origin not allowed; list it in the option listener.allowedOrigins');
    } else expectTooMany(answer, 1_000);
    expect(shared.app.desk.calls).toEqual([]);
  });

  it('may be just below the limit of the server', async () => {
    const lines = [...LINES, ...filler(999 - own - 1), ...evil];
    expect((await shared.app.ask(call(lines))).status).toBe(403);
    const answer = await shared.app.ask(call([...LINES, ...filler(999 - own)]));
    expect([answer.status, shared.app.desk.calls]).toEqual([200, ['echo hello']]);
    const { status } = await shared.app.ask(call([...LINES, ...filler(1_000 - own)]));
    expect(status).toBe(host.name === 'own listener' ? 200 : 431);
  });

  it('has the bound of the server', async () => {
    const { server } = shared.app;
    if (server === undefined) return;
    // Node hands headers out in groups of 31, so that nothing is seen of those beyond a whole number of groups.
    for (const max of [62, 64]) {
      server.maxHeadersCount = max;
      expect([max, (await shared.app.ask(call([...LINES, ...filler(max - 1 - own)]))).status]).toEqual([max, 200]);
      expectTooMany(await shared.app.ask(call([...LINES, ...filler(max - own), ...evil])), max);
    }
    server.maxHeadersCount = 0;
    expect((await shared.app.ask(call([...LINES, ...filler(1_500), ...evil]))).status).toBe(403);
    server.maxHeadersCount = null;
  });
});

describe.each(HTTP2_HOSTS)('a request of HTTP/2 to $name', (host) => {
  const { headers, body } = CALL;

  it.each<readonly [string, OutgoingHttpHeaders, number | string]>([
    ['without more', {}, 200],
    ['with a foreign Origin', { origin: 'http://evil.example' }, 403],
    ['with more headers than the server takes', { x: filler(128).map(() => '') }, 'NGHTTP2_ENHANCE_YOUR_CALM'],
  ])('%s', async (_name, own, expected) => {
    await using app = await host.start();
    expect(await statusOverHttp2(app.origin, { ...headers, ...own }, body)).toBe(expected);
    expect(app.desk.calls).toEqual(expected === 200 ? ['echo hello'] : []);
  });
});

import { describe, expect, it } from '@jest/globals';

import { listen, listenerDesk, type ListenerApp } from '../support/listener-app.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, type HeaderLines, type RawAnswer } from '../support/raw-http.js';

const LIST = mcpRequest('tools/list');

async function post(app: ListenerApp, lines: HeaderLines): Promise<RawAnswer> {
  using connection = await app.connect();
  connection.send({ headers: [...linesOf(LIST), ...lines], body: LIST.body });
  return await connection.answer();
}

/** Bodies do not matter here, and those that are allowed have none. */
async function preflight(app: ListenerApp, lines: HeaderLines, target = '/mcp'): Promise<RawAnswer> {
  using connection = await app.connect();
  connection.send({ method: 'OPTIONS', target, headers: lines, framing: 'none' });
  return await connection.answer({ bodiless: true });
}

describe('the Origin of a request to the own listener', () => {
  it('is by default that of this machine, or absent', async () => {
    await using app = await listen(listenerDesk());
    const rows: readonly (readonly [HeaderLines, number])[] = [
      [[], 200],
      [[['origin', 'http://localhost']], 200],
      [[['origin', 'HTTP://LOCALHOST']], 200],
      [[['origin', 'http://[::1]:3000']], 200],
      [[['origin', 'http://evil.example.com']], 403],
      [[['origin', 'http://user@localhost:4000']], 403],
      [[['origin', 'null']], 403],
      [[['origin', 'file://x']], 403],
      [[['origin', '']], 403],
      [
        [
          ['origin', 'http://localhost'],
          ['origin', 'http://evil.example'],
        ],
        403,
      ],
    ];
    for (const [lines, status] of rows) {
      const answer = await post(app, lines);
      expect([lines, answer.status]).toEqual([lines, status]);
      if (status !== 403) continue;
      expect([answer.message.error.message, answer.body.includes('"id"')]).toEqual([
        'Origin not allowed; list it in the option listener.allowedOrigins',
        false,
      ]);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    }
  });

  it('is one of the list of the listener, not of that of the endpoint in the app', async () => {
    const app = listenerDesk({ allowedOrigins: ['localhost:3000'] }, { http: { allowedOrigins: ['*'] } });
    await using served = await listen(app);
    expect((await post(served, [['origin', 'http://localhost:3000']])).status).toBe(200);
    expect((await post(served, [['origin', 'http://localhost:4000']])).status).toBe(403);
  });

  it('that may call can read every answer', async () => {
    await using app = await listen(listenerDesk({ guards: [{ canActivate: () => false }] }));
    const answer = await post(app, [['origin', 'http://localhost:5173']]);
    expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual([
      403,
      'http://localhost:5173',
      'Origin',
    ]);
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('adds nothing to answers for clients other than browsers', async () => {
    await using app = await listen(listenerDesk());
    const { headers } = await post(app, []);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'vary')).toEqual([]);
  });
});

describe('a preflight to the own listener', () => {
  const ASK: HeaderLines = [
    ['origin', 'http://localhost:5173'],
    ['access-control-request-method', 'POST'],
    ['access-control-request-headers', 'authorization,content-type,mcp-method,mcp-param-region'],
  ];

  it('allows the requested headers, before any guard', async () => {
    await using app = await listen(listenerDesk({ guards: [{ canActivate: () => false }] }));
    const { status, headers } = await preflight(app, ASK);
    expect([status, headers.has('content-length'), headers.get('connection')]).toEqual([204, false, 'keep-alive']);
    expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control')))).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type,mcp-method,mcp-param-region',
      'access-control-max-age': '600',
    });
  });

  it('of an origin that may not call is refused', async () => {
    await using app = await listen(listenerDesk());
    const { status, headers } = await preflight(app, [['origin', 'http://evil.example'], ...ASK.slice(1)]);
    expect([status, headers.has('access-control-allow-origin')]).toEqual([403, false]);
  });

  it('lists only valid header names, and only in a preflight', async () => {
    await using app = await listen(listenerDesk());
    const odd = await preflight(app, [...ASK.slice(0, 2), ['access-control-request-headers', 'a b; c']]);
    expect([odd.status, odd.headers.has('access-control-allow-headers')]).toEqual([204, false]);
    const elsewhere = await preflight(app, ASK, '/other');
    expect([elsewhere.status, elsewhere.headers.has('access-control-allow-origin')]).toEqual([404, false]);
  });
});

describe('the Host of a request to the own listener', () => {
  it('may be anything by default', async () => {
    await using app = await listen(listenerDesk());
    expect((await post(app, [['host', 'anything.example']])).status).toBe(200);
  });

  it('is one of the list', async () => {
    await using app = await listen(listenerDesk({ allowedHosts: ['loopback'] }));
    for (const [host, status] of [
      ['LOCALHOST:4000', 200],
      ['[::1]:4000', 200],
      ['localhost.evil.example.com:4000', 403],
      ['', 403],
    ] as const) {
      expect([host, (await post(app, [['host', host]])).status]).toEqual([host, status]);
    }
    using none = await app.connect();
    none.write('POST /mcp HTTP/1.0\r\ncontent-length: 0\r\n\r\n');
    const answer = await none.answer();
    expect([answer.status, answer.message.error.message]).toEqual([
      403,
      'Host not allowed; list it in the option listener.allowedHosts',
    ]);
  });
});

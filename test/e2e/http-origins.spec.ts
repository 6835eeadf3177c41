import { describe, expect, it } from '@jest/globals';
import { APP_GUARD } from '@nestjs/core';

import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, rawHead, RawConnection } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';

const LIST = mcpRequest('tools/list');

type Lines = readonly (readonly [string, string])[];

async function statusOf(origin: string, lines: Lines): Promise<number> {
  using connection = await RawConnection.open(origin);
  connection.send({ headers: [...linesOf(LIST), ...lines], body: LIST.body });
  const answer = await connection.answer();
  const { error } = answer.status === 200 ? { error: undefined } : answer.message;
  // Whatever refuses here has not seen the message.
  const isRefusal = error?.code === -32600 && !answer.body.includes('"id"');
  return answer.status === 200 || isRefusal ? answer.status : Number.NaN;
}

describe.each(ADAPTERS)('the Origin of a request on $name', (adapter) => {
  const BY_DEFAULT: readonly (readonly [Lines, number])[] = [
    [[], 200],
    [[['origin', 'http://localhost']], 200],
    [[['origin', 'http://localhost:4000']], 200],
    [[['origin', 'https://localhost:4000']], 200],
    [[['origin', 'HTTP://LOCALHOST']], 200],
    [[['origin', 'http://127.0.0.1:1']], 200],
    [[['origin', 'http://[::1]:3000']], 200],
    [[['origin', 'http://evil.example.com']], 403],
    [[['origin', 'http://user@localhost:4000']], 403],
    [[['origin', 'http://localhost.evil.example.com']], 403],
    [[['origin', 'http://localhost:4000/path']], 403],
    [[['origin', 'null']], 403],
    [[['origin', '']], 403],
    [[['origin', 'localhost']], 403],
    [[['origin', 'file://x']], 403],
    [[['origin', 'chrome-extension://localhost']], 403],
    [
      [
        ['origin', 'http://localhost'],
        ['origin', 'http://localhost'],
      ],
      403,
    ],
    [
      [
        ['origin', 'http://localhost'],
        ['origin', 'http://evil.example.com'],
      ],
      403,
    ],
  ];

  it('is by default that of this machine, or absent', async () => {
    await using served = await serve(deskApp(), adapter);
    const answers = await Promise.all(BY_DEFAULT.map(([lines]) => statusOf(served.origin, lines)));
    expect(BY_DEFAULT.map(([lines], index) => [lines, answers[index]])).toEqual(BY_DEFAULT);
  });

  const LISTED: readonly (readonly [allowed: string, origin: string, status: number])[] = [
    ['localhost:3000', 'http://localhost:3000', 200],
    ['localhost:3000', 'https://localhost:3000', 200],
    ['localhost:3000', 'http://localhost:4000', 403],
    ['localhost:80', 'http://localhost', 200],
    ['app.example.com', 'https://app.example.com', 200],
    ['app.example.com', 'https://APP.example.com:8443', 200],
    ['app.example.com', 'https://app.example.com.evil.example', 403],
    ['app.example.com', 'http://localhost', 403],
    ['https://app.example.com', 'https://app.example.com', 200],
    ['https://app.example.com', 'https://app.example.com:443', 200],
    ['https://app.example.com', 'https://app.example.com:8443', 403],
    ['https://app.example.com', 'http://app.example.com', 403],
    ['*', 'http://anything.example', 200],
    ['*', 'null', 403],
  ];

  it('is one of the list, by host, port and scheme', async () => {
    for (const allowed of new Set(LISTED.map(([entry]) => entry))) {
      const rows = LISTED.filter(([entry]) => entry === allowed);
      await using served = await serve(deskApp({ http: { allowedOrigins: [allowed] } }), adapter);
      const answers = await Promise.all(rows.map(([, origin]) => statusOf(served.origin, [['origin', origin]])));
      expect(rows.map(([entry, origin], index) => [entry, origin, answers[index]])).toEqual(rows);
    }
  });

  it('is judged before any guard and any body byte, on every method', async () => {
    const asked: string[] = [];
    const guard = { canActivate: () => asked.push('guard') > 0 };
    const app = deskApp({}, { providers: [{ provide: APP_GUARD, useValue: guard }] });
    await using served = await serve(app, adapter, {
      configure: (nest) => {
        nest.use((_request: unknown, _response: unknown, next: () => void) => {
          asked.push('middleware');
          next();
        });
      },
    });
    for (const method of ['POST', 'GET', 'DELETE', 'PUT', 'OPTIONS']) {
      using connection = await RawConnection.open(served.origin);
      connection.write(
        rawHead({ method, headers: [...linesOf(LIST), ['origin', 'http://evil.example']], framing: 1_000 }),
      );
      const answer = await connection.answer();
      expect([method, answer.status, answer.headers.get('content-length')]).toEqual([
        method,
        403,
        String(answer.body.length),
      ]);
      expect(answer.headers.get('access-control-allow-origin')).toBeUndefined();
    }
    expect(asked).toEqual([]);
    expect(await statusOf(served.origin, [['origin', 'http://localhost']])).toBe(200);
    expect(new Set(asked)).toEqual(new Set(['middleware', 'guard']));
    expect(served.app.get(Desk).calls).toEqual([]);
  });
});

describe.each(ADAPTERS)('the Host of a request on $name', (adapter) => {
  it('may be anything by default', async () => {
    await using served = await serve(deskApp(), adapter);
    expect(await statusOf(served.origin, [['host', 'anything.example']])).toBe(200);
  });

  it('is one of the list', async () => {
    await using served = await serve(deskApp({ http: { allowedHosts: ['loopback'] } }), adapter);
    for (const [host, status] of [
      ['LOCALHOST:4000', 200],
      ['[::1]:4000', 200],
      ['127.0.0.1', 200],
      ['localhost.evil.example.com:4000', 403],
      ['user@localhost', 403],
      ['localhost:4000:1', 403],
      ['', 403],
      ['evil.example', 403],
    ] as const) {
      expect([host, await statusOf(served.origin, [['host', host]])]).toEqual([host, status]);
    }
  });

  it('with a port counts only on that port', async () => {
    await using served = await serve(deskApp({ http: { allowedHosts: ['mcp.example.com:8443'] } }), adapter);
    expect(await statusOf(served.origin, [['host', 'mcp.example.com:8443']])).toBe(200);
    expect(await statusOf(served.origin, [['host', 'mcp.example.com:8080']])).toBe(403);
  });

  it('of a listed origin may omit the default port', async () => {
    const hosts = ['https://mcp.example.com', 'http://other.example:80'];
    await using served = await serve(deskApp({ http: { allowedHosts: hosts } }), adapter);
    for (const [host, status] of [
      ['mcp.example.com', 200],
      ['mcp.example.com:443', 200],
      ['mcp.example.com:80', 403],
      ['mcp.example.com:8443', 403],
      ['other.example', 200],
      ['other.example:80', 200],
      ['other.example:443', 403],
    ] as const) {
      expect([host, await statusOf(served.origin, [['host', host]])]).toEqual([host, status]);
    }
  });

  it('must be there, once', async () => {
    await using served = await serve(deskApp({ http: { allowedHosts: ['loopback'] } }), adapter);
    const twice = await statusOf(served.origin, [
      ['host', 'localhost'],
      ['host', 'evil.example'],
    ]);
    expect([400, 403]).toContain(twice);
    using none = await RawConnection.open(served.origin);
    none.write('POST /mcp HTTP/1.0\r\ncontent-length: 0\r\n\r\n');
    expect((await none.answer()).status).toBe(403);
  });
});

describe.each(ADAPTERS)('paths on $name', (adapter) => {
  const post = async (origin: string, target: string): Promise<number> => {
    using connection = await RawConnection.open(origin);
    connection.send({ target, headers: linesOf(LIST), body: LIST.body });
    return (await connection.answer()).status;
  };

  it('are those that the router of the framework takes', async () => {
    await using served = await serve(deskApp(), adapter);
    const odd = adapter.name === 'express' ? 200 : 404;
    expect(await post(served.origin, '/mcp')).toBe(200);
    expect(await post(served.origin, '/mcp?x=1')).toBe(200);
    expect(await post(served.origin, `http://127.0.0.1/mcp`)).toBe(200);
    expect(await post(served.origin, '/MCP')).toBe(odd);
    expect(await post(served.origin, '/mcp/')).toBe(odd);
    expect(await post(served.origin, '/mcp/other')).toBe(404);
    expect(await post(served.origin, '/other')).toBe(404);
    expect(await post(served.origin, '/%6Dcp')).toBe(adapter.name === 'express' ? 404 : 200);
  });

  it('give the same answer for bodies that no parser of the app may read, in every spelling', async () => {
    await using served = await serve(deskApp(), adapter);
    const long = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(1_200_000) } });
    const targets =
      adapter.name === 'express' ? ['/MCP', '/mcp/', 'http://127.0.0.1/mcp'] : ['/%6Dcp', 'http://127.0.0.1/mcp'];
    for (const target of targets) {
      for (const [posted, status] of [
        [long, 200],
        [{ ...LIST, body: '{' }, 400],
      ] as const) {
        using connection = await RawConnection.open(served.origin);
        connection.send({ target, headers: linesOf(posted), body: posted.body });
        const answer = await connection.answer();
        expect([target, answer.status, answer.message.jsonrpc]).toEqual([target, status, '2.0']);
      }
      using foreign = await RawConnection.open(served.origin);
      foreign.write(rawHead({ target, headers: [['origin', 'http://evil.example']], framing: 10 }));
      expect([target, (await foreign.answer()).status]).toEqual([target, 403]);
    }
  });

  it('elsewhere belong to the app', async () => {
    await using served = await serve(deskApp({ path: '/tools/mcp' }), adapter, { path: '/tools/mcp' });
    expect((await served.send('tools/list')).status).toBe(200);
    expect(await post(served.origin, '/mcp')).toBe(404);
    const foreign = await fetch(`${served.origin}/other`, { headers: { origin: 'http://evil.example' } });
    expect(foreign.status).toBe(404);
  });
});

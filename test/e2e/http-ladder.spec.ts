import { describe, expect, it } from '@jest/globals';

import { ADAPTERS } from '../support/adapters.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { mcpRequest, META } from '../support/mcp-request.js';
import { linesOf, RawConnection, type HeaderLines } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';

const GOOD = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'hi' } });

/** Fastify names the charset of every text. */
const JSON_TYPE = /^application\/json(; charset=utf-8)?$/;

/** One request with one fault, and the refusal it must get. */
interface Rung {
  readonly name: string;
  readonly headers?: (lines: (readonly [string, string])[]) => HeaderLines;
  readonly body?: (message: { id?: unknown; method: string; params: Record<string, unknown> }) => unknown;
  readonly status: number;
  readonly code: number;
  /** Whether the id of the request comes back. */
  readonly echoed: boolean;
}

const same = <T>(value: T): T => value;
const without =
  (name: string) =>
  (lines: HeaderLines): HeaderLines =>
    lines.filter(([key]) => key !== name);
const changed =
  (name: string, value: string) =>
  (lines: HeaderLines): HeaderLines =>
    lines.map(([key, old]) => [key, key === name ? value : old]);
const added =
  (...more: (readonly [string, string])[]) =>
  (lines: HeaderLines): HeaderLines => [...lines, ...more];

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const withMeta =
  (_meta: unknown): Rung['body'] =>
  (message) => ({ ...message, params: { ...message.params, _meta } });

const RUNGS: readonly Rung[] = [
  {
    name: 'a foreign Origin',
    headers: added(['origin', 'http://evil.example']),
    status: 403,
    code: -32600,
    echoed: false,
  },
  { name: 'a foreign Host', headers: added(['host', 'evil.example']), status: 403, code: -32600, echoed: false },
  { name: 'no content type', headers: without('content-type'), status: 415, code: -32600, echoed: false },
  {
    name: 'another content type',
    headers: changed('content-type', 'text/plain'),
    status: 415,
    code: -32600,
    echoed: false,
  },
  {
    name: 'another charset',
    headers: changed('content-type', 'application/json; charset=latin1'),
    status: 415,
    code: -32600,
    echoed: false,
  },
  {
    name: 'an Accept of neither form',
    headers: changed('accept', 'text/html'),
    status: 406,
    code: -32600,
    echoed: false,
  },
  {
    name: 'an Accept that excludes both',
    headers: changed('accept', '*/*;q=0'),
    status: 406,
    code: -32600,
    echoed: false,
  },
  { name: 'a body that is no JSON', body: () => '{"jsonrpc":"2.0","id":1,', status: 400, code: -32700, echoed: false },
  { name: 'an empty body', body: () => '', status: 400, code: -32700, echoed: false },
  {
    name: 'data after the message',
    body: (message) => `${JSON.stringify(message)} x`,
    status: 400,
    code: -32700,
    echoed: false,
  },
  {
    name: 'a number of 65 digits',
    body: () => `{"jsonrpc":"2.0","id":1${'0'.repeat(64)}}`,
    status: 400,
    code: -32700,
    echoed: false,
  },
  { name: 'a batch', body: (message) => [message], status: 400, code: -32600, echoed: false },
  { name: 'an empty batch', body: () => [], status: 400, code: -32600, echoed: false },
  { name: 'a string', body: () => '"hi"', status: 400, code: -32600, echoed: false },
  { name: 'null', body: () => 'null', status: 400, code: -32600, echoed: false },
  {
    name: 'another version of JSON-RPC',
    body: (message) => ({ ...message, jsonrpc: '1.0' }),
    status: 400,
    code: -32600,
    echoed: true,
  },
  {
    name: 'no version of JSON-RPC',
    body: ({ method, params }) => ({ id: 7, method, params }),
    status: 400,
    code: -32600,
    echoed: true,
  },
  {
    name: 'a method that is no string',
    body: (message) => ({ ...message, method: 5 }),
    status: 400,
    code: -32600,
    echoed: true,
  },
  {
    name: 'no method',
    body: ({ id, params }) => ({ jsonrpc: '2.0', id, params }),
    status: 400,
    code: -32600,
    echoed: true,
  },
  { name: 'a result', body: () => ({ jsonrpc: '2.0', id: 7, result: {} }), status: 400, code: -32600, echoed: false },
  {
    name: 'an error',
    body: () => ({ jsonrpc: '2.0', id: 7, error: { code: 1, message: 'no' } }),
    status: 400,
    code: -32600,
    echoed: false,
  },
  {
    name: 'params that are an array',
    body: (message) => ({ ...message, params: [] }),
    status: 400,
    code: -32602,
    echoed: true,
  },
  {
    name: 'no params',
    body: ({ id, method }) => ({ jsonrpc: '2.0', id, method }),
    status: 400,
    code: -32602,
    echoed: true,
  },
  {
    name: 'no _meta',
    body: (message) => ({ ...message, params: { name: 'echo' } }),
    status: 400,
    code: -32602,
    echoed: true,
  },
  { name: '_meta without a version', body: withMeta({ [CAPABILITIES]: {} }), status: 400, code: -32602, echoed: true },
  {
    name: '_meta without capabilities',
    body: withMeta({ [VERSION]: '2026-07-28' }),
    status: 400,
    code: -32602,
    echoed: true,
  },
  {
    name: 'capabilities that are a list',
    body: withMeta({ ...META, [CAPABILITIES]: [] }),
    status: 400,
    code: -32602,
    echoed: true,
  },
  {
    name: 'a version that is no string',
    body: withMeta({ ...META, [VERSION]: 20260728 }),
    status: 400,
    code: -32602,
    echoed: true,
  },
  { name: 'no version header', headers: without('mcp-protocol-version'), status: 400, code: -32020, echoed: true },
  {
    name: 'a version header of another revision',
    headers: changed('mcp-protocol-version', '2025-11-25'),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a version of the future in the body alone',
    body: withMeta({ ...META, [VERSION]: '2099-12-31' }),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a version that is not spoken',
    headers: changed('mcp-protocol-version', '1900-01-01'),
    body: withMeta({ ...META, [VERSION]: '1900-01-01' }),
    status: 400,
    code: -32022,
    echoed: true,
  },
  { name: 'no method header', headers: without('mcp-method'), status: 400, code: -32020, echoed: true },
  {
    name: 'a method header in another case',
    headers: changed('mcp-method', 'Tools/Call'),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a method header of another method',
    headers: changed('mcp-method', 'tools/list'),
    status: 400,
    code: -32020,
    echoed: true,
  },
  { name: 'no name header', headers: without('mcp-name'), status: 400, code: -32020, echoed: true },
  {
    name: 'a name header of another tool',
    headers: changed('mcp-name', 'boom'),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'no name header and no name',
    headers: without('mcp-name'),
    body: (message) => ({ ...message, params: { _meta: META } }),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a name header that is no base64',
    headers: changed('mcp-name', '=?base64?!!!?='),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a name header without its padding',
    headers: changed('mcp-name', '=?base64?ZWNobw?='),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a name header with a marker in capitals',
    headers: changed('mcp-name', '=?BASE64?ZWNobw==?='),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a version header twice',
    headers: added(['mcp-protocol-version', '2026-07-28']),
    status: 400,
    code: -32020,
    echoed: true,
  },
  {
    name: 'a method header twice',
    headers: added(['Mcp-Method', 'tools/call']),
    status: 400,
    code: -32020,
    echoed: true,
  },
  { name: 'a name header twice', headers: added(['MCP-NAME', 'echo']), status: 400, code: -32020, echoed: true },
  {
    name: 'a method that does not exist',
    headers: changed('mcp-method', 'foo/bar'),
    body: (message) => ({ ...message, method: 'foo/bar' }),
    status: 404,
    code: -32601,
    echoed: true,
  },
  {
    name: 'a progress token that is an object',
    body: withMeta({ ...META, progressToken: {} }),
    status: 200,
    code: -32602,
    echoed: true,
  },
  {
    name: 'an unknown log level',
    body: withMeta({ ...META, 'io.modelcontextprotocol/logLevel': 'loud' }),
    status: 200,
    code: -32602,
    echoed: true,
  },
  {
    name: 'a name that is no string',
    body: (message) => ({ ...message, params: { name: 5, _meta: META } }),
    status: 200,
    code: -32602,
    echoed: true,
  },
  {
    name: 'arguments that are a list',
    body: (message) => ({ ...message, params: { ...message.params, arguments: [] } }),
    status: 200,
    code: -32602,
    echoed: true,
  },
  {
    name: 'a tool that does not exist',
    headers: changed('mcp-name', 'nobody'),
    body: (message) => ({ ...message, params: { ...message.params, name: 'nobody' } }),
    status: 200,
    code: -32602,
    echoed: true,
  },
];

describe.each(ADAPTERS)('the admission ladder on $name', (adapter) => {
  const app = deskApp({ http: { allowedHosts: ['127.0.0.1'] } });

  it('refuses every single fault with its status and code, and runs nothing', async () => {
    await using served = await serve(app, adapter);
    for (const { name, headers = same, body = same, status, code, echoed } of RUNGS) {
      using connection = await RawConnection.open(served.origin);
      const message = { ...(JSON.parse(GOOD.body) as { method: string; params: Record<string, unknown> }), id: 7 };
      const changedBody = body(message);
      connection.send({
        headers: headers(linesOf(GOOD)),
        body: typeof changedBody === 'string' ? changedBody : JSON.stringify(changedBody),
      });
      const answer = await connection.answer();
      expect({ name, status: answer.status, code: answer.message.error.code }).toEqual({ name, status, code });
      expect({ name, hasId: 'id' in answer.message, id: answer.message.id }).toEqual({
        name,
        hasId: echoed,
        id: echoed ? 7 : undefined,
      });
      expect(answer.headers.get('content-type')).toMatch(JSON_TYPE);
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.body)));
      expect(answer.body).not.toMatch(/node_modules|\.ts:|\.js:|statusCode/);
    }
    expect(served.app.get(Desk).calls).toEqual([]);
  });

  it('lets the earlier of two faults win', async () => {
    await using served = await serve(app, adapter);
    const faults: (readonly [number, number, Record<string, string | undefined>, string])[] = [
      [403, -32600, { origin: 'http://evil.example', 'content-type': 'text/plain' }, GOOD.body],
      [415, -32600, { 'content-type': 'text/plain', accept: 'text/html' }, GOOD.body],
      [406, -32600, { accept: 'text/html' }, '{'],
      [400, -32700, { 'mcp-method': undefined }, '{'],
      [400, -32600, { 'mcp-method': undefined }, '[]'],
      [400, -32602, { 'mcp-protocol-version': undefined }, '{"jsonrpc":"2.0","id":1,"method":"foo/bar"}'],
      [400, -32020, { 'mcp-protocol-version': undefined, 'mcp-method': undefined }, GOOD.body],
      [400, -32020, {}, GOOD.body.replace('tools/call', 'foo/bar')],
    ];
    for (const [status, code, headers, body] of faults) {
      const answer = await served.post({ ...mcpRequest('tools/call', { name: 'echo' }, { headers }), body });
      expect({ status: answer.status, code: answer.message.error.code }).toEqual({ status, code });
    }
  });

  it('answers every method except POST with 405, for any body and content type', async () => {
    await using served = await serve(app, adapter);
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      for (const header of [
        undefined,
        ['accept', 'text/event-stream'],
        ['content-type', 'application/json'],
      ] as const) {
        const response = await fetch(served.url, { method, headers: header === undefined ? [] : [[...header]] });
        expect({ method, status: response.status, allow: response.headers.get('allow') }).toEqual({
          method,
          status: 405,
          allow: 'POST',
        });
        expect(response.headers.get('content-type')).toMatch(JSON_TYPE);
        const message = (await response.json()) as { error: { code: number } };
        expect(message.error.code).toBe(-32600);
        expect(message).not.toHaveProperty('id');
      }
    }
    using connection = await RawConnection.open(served.origin);
    connection.send({ method: 'HEAD', framing: 'none' });
    const head = await connection.answer({ bodiless: true });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'POST']);
    connection.send({ method: 'GET', framing: 'none' });
    expect((await connection.answer()).status).toBe(405);
  });

  it('lists the supported revisions for a client of an older revision', async () => {
    await using served = await serve(app, adapter);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    });
    const answer = await served.post({
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body,
    });
    expect(answer.status).toBe(400);
    expect(answer.message).toMatchObject({
      id: 0,
      error: { code: -32022, data: { requested: '2025-06-18', supported: ['2026-07-28'] } },
    });
    const { message } = await served.send('server/discover');
    expect(message.result.supportedVersions).toEqual(['2026-07-28']);
  });

  it('says in the data of a mismatch what differs', async () => {
    await using served = await serve(app, adapter);
    const { message } = await served.send('tools/list', {}, { headers: { 'mcp-protocol-version': '2025-11-25' } });
    expect(message.error).toMatchObject({ code: -32020, data: { header: '2025-11-25', body: '2026-07-28' } });
  });

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'elicitation/create',
  ])('does not know %s', async (method) => {
    await using served = await serve(app, adapter);
    const answer = await served.send(method);
    expect([answer.status, answer.message.error.code, answer.message.id]).toEqual([404, -32601, 1]);
  });
});

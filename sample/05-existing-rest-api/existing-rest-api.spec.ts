import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RunningSample, runShell } from '../../test/support/running-sample.js';

const START_MS = 120_000;
const REVISION = '2026-07-28';
const KIM = 'key-of-kim';
const LEE = 'key-of-lee';

let sample: RunningSample;

beforeAll(async () => {
  sample = await RunningSample.start('05-existing-rest-api');
}, START_MS);

afterAll(() => sample?.stop(), START_MS);

/** The outcome of either way of calling: a value, or the text of a refusal. */
interface Outcome {
  readonly value?: unknown;
  readonly refusal?: string;
}

/** A request of the API, such as `GET /orders/1`. */
async function route(key: string | undefined, target: string, body?: object): Promise<Outcome> {
  const [method = '', path = ''] = target.split(' ');
  const response = await fetch(sample.endpoint.origin + path, {
    method,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { readonly message: string | readonly string[] };
  return response.ok ? { value: answer } : { refusal: [answer.message].flat().join('; ') };
}

interface McpAnswer {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content: readonly { readonly text: string }[];
    readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
  };
  readonly error?: { readonly message: string };
  /** The answer of a guard of the endpoint, in the format of Nest. */
  readonly message?: string;
}

async function send(key: string | undefined, method: string, params: object, name?: string): Promise<McpAnswer> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(sample.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
  return (await response.json()) as McpAnswer;
}

async function tool(key: string | undefined, name: string, args: object = {}): Promise<Outcome> {
  const { result, error, message } = await send(key, 'tools/call', { name, arguments: args }, name);
  if (result !== undefined && result.isError !== true) return { value: result.structuredContent };
  return { refusal: result?.content[0]?.text ?? error?.message ?? message ?? '' };
}

describe('what the sample prints', () => {
  it('carries no warning', () => {
    expect(sample.output).not.toMatch(/\b(WARN|ERROR)\b/);
  });
});

describe('the README', () => {
  it('holds pairs of requests that answer the same', async () => {
    const [definitions = '', looking = '', refused = ''] = sample.shellBlocks;
    const output = await runShell(definitions + looking + refused);
    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as McpAnswer);
    const [byRoute, byTool, routeRefusal, toolRefusal] = answers;
    expect(byRoute).toMatchObject({ id: 1, state: 'sent' });
    expect(byTool?.result?.structuredContent).toEqual(byRoute);
    expect(routeRefusal?.message).toMatch(/^Only managers/);
    expect(toolRefusal?.error?.message).toBe(routeRefusal?.message);
  });

  it('holds a call that cancels', async () => {
    const { shellBlocks } = sample;
    expect(await runShell(`${shellBlocks[0]}${shellBlocks.at(-1)}`)).toContain('"state":"cancelled"');
  });
});

describe('the tools', () => {
  it('are described by what the routes take', async () => {
    const tools = (await send(LEE, 'tools/list', {})).result?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual([
      ...['who_am_i', 'get_order', 'place_order', 'change_count', 'cancel_order'],
    ]);
    expect(tools.find(({ name }) => name === 'place_order')?.inputSchema).toMatchObject({
      properties: { article: { type: 'string', minLength: 8, maxLength: 8 }, count: { minimum: 1, maximum: 100 } },
      required: ['article', 'count'],
    });
  });
});

describe('both ways', () => {
  it('know the caller', async () => {
    const expected = { value: { name: 'Kim', isManager: false } };
    expect(await route(KIM, 'GET /orders/me')).toEqual(expected);
    expect(await tool(KIM, 'who_am_i')).toEqual(expected);
  });

  it('give the same answers', async () => {
    const expected = { value: { id: 1, article: 'pencil-2', count: 12, state: 'sent' } };
    expect(await route(KIM, 'GET /orders/1')).toEqual(expected);
    expect(await tool(KIM, 'get_order', { id: 1 })).toEqual(expected);
  });

  it('do the same', async () => {
    const order = { article: 'stapler1', count: 2 };
    const placed = (await route(KIM, 'POST /orders', order)).value as { readonly id: number };
    expect(await tool(KIM, 'place_order', order)).toEqual({ value: { ...placed, id: placed.id + 1 } });
    const changed = { value: { ...placed, count: 5 } };
    expect(await tool(KIM, 'change_count', { id: placed.id, count: 5 })).toEqual(changed);
    expect(await route(KIM, `GET /orders/${placed.id}`)).toEqual(changed);
    expect(await route(KIM, `PATCH /orders/${placed.id}`, { count: 5 })).toEqual(changed);
    const cancelled = { value: { ...placed, count: 5, state: 'cancelled' } };
    expect(await tool(LEE, 'cancel_order', { id: placed.id })).toEqual(cancelled);
    expect(await route(KIM, `GET /orders/${placed.id}`)).toEqual(cancelled);
  });

  it.each([
    ['a caller without a key', undefined, 'GET /orders/1', 'get_order', { id: 1 }, /x-api-key/],
    ['what a guard of the method forbids', KIM, 'DELETE /orders/2', 'cancel_order', { id: 2 }, /^Only managers/],
    ['what is not there', KIM, 'GET /orders/99', 'get_order', { id: 99 }, /^There is no order 99$/],
    ['what cannot be done any more', LEE, 'DELETE /orders/1', 'cancel_order', { id: 1 }, /^Order 1 is sent already$/],
  ] as const)('refuse %s, in the same words', async (_what, key, target, name, args, words) => {
    const byRoute = await route(key, target);
    expect(byRoute.refusal).toMatch(words);
    expect(await tool(key, name, args)).toEqual(byRoute);
  });

  it.each([
    ['an id that is no number', 'GET /orders/x', undefined, 'get_order', { id: 'x' }, 'id'],
    ['too few articles', 'POST /orders', { article: 'stapler1', count: 0 }, 'place_order', undefined, 'count'],
    ['a number as a string', 'POST /orders', { article: 'stapler1', count: '2' }, 'place_order', undefined, 'count'],
    ['a member that is missing', 'POST /orders', { count: 2 }, 'place_order', undefined, 'article'],
    [
      'a member too many',
      'POST /orders',
      { article: 'stapler1', count: 2, vip: true },
      'place_order',
      undefined,
      'vip',
    ],
    ['too many articles', 'PATCH /orders/2', { count: 101 }, 'change_count', { id: 2, count: 101 }, 'count'],
  ] as const)('refuse %s, and the tool says where', async (_what, target, body, name, args, place) => {
    expect(await route(KIM, target, body)).toEqual({ refusal: expect.any(String) });
    expect(await tool(KIM, name, args ?? body)).toEqual({ refusal: expect.stringContaining(place) });
    expect(await route(KIM, 'GET /orders/2')).toMatchObject({ value: { count: 3, state: 'open' } });
  });
});

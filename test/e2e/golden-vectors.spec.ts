import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { McpServer } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { goldenApp } from '../support/golden.module.js';
import { askInProcess, comparable, type Reply } from '../support/golden-replies.js';
import { VECTORS, type Vector } from '../support/golden-vectors.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { checkWireMessage, type WireMessage } from '../support/wire-oracle.js';

interface Carrier {
  readonly name: string;
  readonly send: (body: string) => Promise<Reply>;
}

/** The headers that repeat a message, as its client would send them. */
function headersOf(body: string): Record<string, string> {
  const { method, name, version } = mirrored(body);
  const { headers } = mcpRequest(method, { name, uri: name }, { headers: { 'mcp-protocol-version': version } });
  return headers;
}

function mirrored(body: string): {
  readonly method: string;
  readonly name: string;
  readonly version: string | undefined;
} {
  let message: { method?: unknown; params?: Readonly<Record<string, unknown>> } = {};
  try {
    message = (JSON.parse(body) ?? {}) as typeof message;
  } catch {
    // Whatever the headers say, it is no JSON.
  }
  const { method, params } = message;
  const name = params?.[method === 'resources/read' ? 'uri' : 'name'];
  const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
  const version = meta?.['io.modelcontextprotocol/protocolVersion'];
  return {
    method: typeof method === 'string' ? method : 'tools/list',
    name: typeof name === 'string' ? name : 'none',
    // Clients of an earlier era know of no such header when they say hello.
    version: typeof version === 'string' ? version : method === 'initialize' ? undefined : '2026-07-28',
  };
}

let context: INestApplicationContext;
let server: McpServer;
let node: Server;
const apps: ServedApp[] = [];
const carriers: Carrier[] = [];

describe('golden vectors over HTTP', () => {
  beforeAll(async () => {
    context = await NestFactory.createApplicationContext(goldenApp({ listener: { port: 0 } }), {
      logger: false,
      abortOnError: false,
    });
    server = context.get(McpServer, { strict: false });
    carriers.push({ name: 'in process', send: (body) => askInProcess(server, body) }, { name: 'web', send: sendToWeb });
    node = createServer((request, response) => server.handleNode(request, response));
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const { port } = node.address() as AddressInfo;
    carriers.push({ name: 'node', send: (body) => sendTo(`http://127.0.0.1:${port}/anywhere`, body) });
    const { listenerUrl = '' } = server;
    carriers.push({ name: 'listener', send: (body) => sendTo(listenerUrl, body) });
    for (const adapter of ADAPTERS) {
      const app = await serve(goldenApp(), adapter);
      apps.push(app);
      carriers.push({ name: adapter.name, send: (body) => sendTo(app.url, body) });
    }
  });

  afterAll(async () => {
    await context.close();
    await new Promise((resolve) => node.close(resolve));
    for (const app of apps) await app[Symbol.asyncDispose]();
  });

  async function replyOf(response: Response): Promise<Reply> {
    return { status: response.status, text: comparable(await response.text()) };
  }

  async function sendToWeb(body: string): Promise<Reply> {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(body), body });
    return replyOf(await server.handleRequest(request));
  }

  async function sendTo(url: string, body: string): Promise<Reply> {
    return replyOf(await fetch(url, { method: 'POST', headers: headersOf(body), body }));
  }

  const SILENCE = 'nothing';

  /** The official schemas know no id beyond 2^53. */
  const HUGE_ID = '"id":9007199254740993,';

  function contentOf(text: string): unknown {
    if (text === '') return SILENCE;
    const message = JSON.parse(text) as WireMessage;
    if (!text.includes(HUGE_ID)) checkWireMessage(message);
    const { result, error } = message;
    return error === undefined ? result : error;
  }

  function expectedOf({ code, result, message }: Pick<Vector, 'code' | 'result' | 'message'>): object {
    return code === undefined ? (result ?? {}) : { code, ...(message === undefined ? {} : { message }) };
  }

  describe('a message', () => {
    it('has a unique name, and there are enough messages', () => {
      expect(VECTORS.length).toBeGreaterThanOrEqual(120);
    });

    it.each(VECTORS.map((vector, index) => ({ ...vector, index })))(
      '$index: $name, gets the same answer everywhere',
      async ({ body, status, code, result, message, silent }) => {
        const replies: (Reply & { readonly name: string })[] = [];
        for (const { name, send } of carriers) replies.push({ name, ...(await send(body)) });
        const [first] = replies;
        const text = first?.text ?? '';
        expect(replies.map((reply) => ({ name: reply.name, text: reply.text }))).toEqual(
          replies.map(({ name }) => ({ name, text })),
        );
        expect(replies.map((reply) => reply.status ?? status)).toEqual(replies.map(() => status));
        expect({ content: contentOf(text) }).toMatchObject({
          content: silent === true ? SILENCE : expectedOf({ code, result, message }),
        });
      },
    );
  });
});

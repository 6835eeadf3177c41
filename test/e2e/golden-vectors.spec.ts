import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { isObservable, lastValueFrom, toArray } from 'rxjs';

import { McpServer } from '../../lib/index.js';
import type { StdioServer } from '../../lib/transports/stdio/stdio-host.interface.js';
import { ADAPTERS } from '../support/adapters.js';
import { goldenApp } from '../support/golden.module.js';
import { VECTORS, type Vector } from '../support/golden-vectors.js';
import { LinePipe } from '../support/line-pipe.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { checkWireMessage, type WireMessage } from '../support/wire-oracle.js';

interface Reply {
  /** Where the carrier has one. */
  readonly status?: number;
  /** Without what differs from one answer to the next. */
  readonly text: string;
}

interface Carrier {
  readonly name: string;
  readonly send: (body: string, vector: Vector) => Promise<Reply | undefined>;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const STATE = /"requestState":"[^"]*"/g;

/** A pipe carries ASCII alone. */
const ESCAPED = /\\u([0-9a-f]{4})/g;
const unescaped = (text: string): string =>
  text.replaceAll(ESCAPED, (escape, digits: string) => {
    const unit = Number.parseInt(digits, 16);
    return unit < 0x80 ? escape : String.fromCharCode(unit);
  });

const comparable = (text: string): string => text.replaceAll(UUID, 'UUID').replaceAll(STATE, '"requestState":"STATE"');

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
let pipe: LinePipe;
const apps: ServedApp[] = [];
const carriers: Carrier[] = [];

beforeAll(async () => {
  context = await NestFactory.createApplicationContext(goldenApp({ listener: { port: 0 } }), {
    logger: false,
    abortOnError: false,
  });
  server = context.get(McpServer, { strict: false });
  carriers.push({ name: 'in process', send: sendInProcess }, { name: 'web', send: sendToWeb });
  pipe = await LinePipe.open(server as unknown as StdioServer);
  carriers.push({ name: 'stdio', send: sendOverPipe });
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
  await pipe[Symbol.asyncDispose]();
  await context.close();
  await new Promise((resolve) => node.close(resolve));
  for (const app of apps) await app[Symbol.asyncDispose]();
});

async function sendInProcess(body: string): Promise<Reply> {
  const answer = await server.handle({ caller: { auth: () => undefined }, body: () => ({ ok: true, bytes: body }) });
  if (answer === undefined) return { text: '' };
  if (!isObservable(answer)) return { text: comparable(answer.body ?? '') };
  const messages = await lastValueFrom(answer.pipe(toArray()));
  return { text: comparable(messages.map(({ json }) => json).join('\n')) };
}

/** Says nothing of messages that only a status can answer. */
async function sendOverPipe(body: string, { silent, unheard }: Vector): Promise<Reply | undefined> {
  const text = await pipe.send(body, silent !== true && unheard !== true);
  if (unheard !== true) return { text: comparable(unescaped(text)) };
  expect(text).toBe('');
  return undefined;
}

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
  it('has a name of its own, among enough of them', () => {
    expect(VECTORS.length).toBeGreaterThanOrEqual(120);
  });

  it.each(VECTORS.map((vector, index) => ({ ...vector, index })))(
    '$index: $name, gets the same answer everywhere',
    async (vector) => {
      const { body, status, code, result, message, silent } = vector;
      const replies: (Reply & { readonly name: string })[] = [];
      for (const { name, send } of carriers) {
        const reply = await send(body, vector);
        if (reply !== undefined) replies.push({ name, ...reply });
      }
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

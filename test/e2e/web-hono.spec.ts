import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serve, type ServerType } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Hono } from 'hono';

import { McpServer } from '../../lib/index.js';
import { askingApp } from '../support/asking-desk.module.js';
import { deskApp, Desk } from '../support/desk.module.js';

let app: INestApplicationContext;
let host: ServerType;
let url: string;

/** As an app has it: its own framework, and Nest for what is behind the endpoint. */
async function start(module: Parameters<typeof NestFactory.createApplicationContext>[0]): Promise<void> {
  app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const server = app.get(McpServer, { strict: false });
  const hono = new Hono();
  hono.all('/mcp', (context) => {
    const { address } = getConnInfo(context).remote;
    return server.handleRequest(context.req.raw, { auth: { sub: 'host' }, address });
  });
  await new Promise<void>((resolve) => {
    host = serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      url = `http://127.0.0.1:${port}/mcp`;
      resolve();
    });
  });
}

async function stop(): Promise<void> {
  await app.close();
  await new Promise((resolve) => host.close(resolve));
}

async function connect(): Promise<Client> {
  const client = new Client(
    { name: 'spec', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe('behind Hono', () => {
  beforeAll(() => start(deskApp({ http: false })));
  afterAll(stop);

  it('the official client calls, and receives progress', async () => {
    const client = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    const steps: number[] = [];
    const counted = await client.callTool(
      { name: 'count', arguments: { steps: 3 } },
      { onprogress: ({ progress }) => void steps.push(progress) },
    );
    expect(counted.content).toEqual([{ type: 'text', text: 'counted' }]);
    expect(steps).toEqual([1, 2, 3]);
    await client.close();
  });

  it('a client that leaves cancels its call', async () => {
    const client = await connect();
    const stopping = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: stopping.signal });
    const desk = app.get(Desk);
    const signal = await desk.waiting.opened;
    stopping.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await desk.aborted.opened;
    expect(signal.aborted).toBe(true);
    desk.release.open('late');
    await client.close();
  });
});

describe('a host that says who calls', () => {
  beforeAll(() => start(askingApp({ http: false })));
  afterAll(stop);

  it('has its callers take several rounds', async () => {
    const client = await connect();
    const { content } = await client.callTool({ name: 'transfer', arguments: { amount: 2 } });
    expect(content).toEqual([{ type: 'text', text: 'code-2 by Ada' }]);
    await client.close();
  });
});

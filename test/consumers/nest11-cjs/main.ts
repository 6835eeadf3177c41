import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpModule, McpServer } from 'nestjs-mcp';
import { McpClient } from 'nestjs-mcp/client';
import type { McpExchange } from 'nestjs-mcp/host';
import { AppModule } from './app.module';
import { ask } from './ask';

async function main() {
  const options = { logger: ['error' as const, 'warn' as const], abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), options);
  try {
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mcp`;

    const discovered = await ask(url, 'server/discover', {});
    assert.equal(discovered.status, 200);
    assert.ok(discovered.body.result?.supportedVersions?.includes('2026-07-28'), JSON.stringify(discovered.body));

    const called = await ask(url, 'tools/call', { name: 'greet', arguments: { name: 'Ada' } });
    assert.equal(called.status, 200);
    assert.deepEqual(called.body.result?.content, [{ type: 'text', text: 'Hello, Ada!' }], JSON.stringify(called.body));

    const refused = await ask(url, 'tools/call', { name: 'greet', arguments: { name: '' } });
    assert.equal(refused.body.result?.isError, true, JSON.stringify(refused.body));

    const server = app.get(McpServer);
    assert.ok(server.connect() instanceof McpClient, 'all entry points give one class');
    const exchange: McpExchange = { caller: { auth: () => undefined }, body: () => ({ ok: true, bytes: '{' }) };
    assert.equal((await server.prepare(exchange)).kind, 'refused');

    const imported: unknown = await import('nestjs-mcp');
    assert.equal((imported as { McpModule: unknown }).McpModule, McpModule, 'require and import give one class');
  } finally {
    await app.close();
  }
}

void main();

import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NestFactory } from '@nestjs/core';

import { getMcpToken, McpModule, McpServer, type McpListenerOptions } from '../../lib/index.js';
import { GalleryModule } from '../fixtures/gallery.module.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { deskApp } from '../support/desk.module.js';
import { listen, ListenerApp, listenerDesk } from '../support/listener-app.js';
import { mcpRequest } from '../support/mcp-request.js';
import { RawConnection } from '../support/raw-http.js';
import { selfSigned } from '../support/self-signed.js';
import { serve } from '../support/served-app.js';

const LIST = mcpRequest('tools/list');

async function boot(listener: Partial<McpListenerOptions>): Promise<{ said: string[]; warned: string[]; url: string }> {
  const log = new CapturedLog();
  await using app = await listen(listenerDesk(listener), log);
  const said = log.texts('log').filter((text) => text.startsWith('desk speaks'));
  return { said, warned: log.texts('warn'), url: app.listenerUrl ?? '' };
}

describe('an app with its own listener', () => {
  it('says where it is, with the port that it got', async () => {
    const { said, warned, url } = await boot({ path: 'deep/agents' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+\/deep\/agents$/);
    expect(said).toEqual([`desk speaks MCP 2026-07-28 at POST ${url}: 5 tools, 1 resources, 0 templates, 1 prompts`]);
    expect(warned).toEqual([]);
  });

  it('is at the path of the server unless it says another one', async () => {
    await using app = await listen(listenerDesk({}, { path: '/ai' }));
    expect(app.path).toBe('/ai');
    expect((await app.send('tools/list')).status).toBe(200);
  });

  it('listens at this machine alone', async () => {
    await using app = await listen(listenerDesk());
    expect(app.listenerUrl).toContain('127.0.0.1');
    const { port } = new URL(app.origin);
    const elsewhere = connect({ port: Number(port), host: '127.0.0.2' });
    const [error] = (await once(elsewhere, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it.each([
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+\/mcp$/, 1],
    ['localhost', /^http:\/\/localhost:\d+\/mcp$/, 0],
    ['127.0.0.2', /^http:\/\/127\.0\.0\.2:\d+\/mcp$/, 0],
  ])('at %s has a URL, and a warning where strangers come in', async (host, url, warnings) => {
    const open = await boot({ host });
    expect(open.url).toMatch(url);
    expect(open.warned).toHaveLength(warnings);
    if (warnings === 0) return;
    expect(open.warned[0]).toMatch(
      /^The listener at 0\.0\.0\.0 takes requests.*Pass listener: \{ guards: \[\.\.\.\] \}/,
    );
    expect((await boot({ host, guards: [{ canActivate: () => true }] })).warned).toEqual([]);
    const https = { ...selfSigned('localhost'), requestCert: true };
    expect((await boot({ host, https })).warned).toEqual([]);
    expect((await boot({ host, https: { ...https, rejectUnauthorized: false } })).warned).toHaveLength(1);
  });

  it('warns of pages of any site', async () => {
    expect((await boot({ allowedOrigins: ['*'] })).warned).toEqual([
      expect.stringContaining('listener.allowedOrigins holds "*"'),
    ]);
  });

  it('does not start where something else listens, and names the option', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(listen(listenerDesk({ port }))).rejects.toThrow(
      /^Option "listener" of McpModule: nothing can listen there: .*EADDRINUSE.*Choose another host or port\.$/,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('does not start with an invalid certificate', async () => {
    await expect(listen(listenerDesk({ https: { key: 'no', cert: 'no' } }))).rejects.toThrow(
      /^Option "listener\.https" of McpModule: it cannot be used: /,
    );
  });

  it('has no URL before it listens, and in apps without a listener', async () => {
    const app = await NestFactory.createApplicationContext(deskApp({ http: false }), { logger: false });
    expect(app.get(McpServer, { strict: false }).listenerUrl).toBeUndefined();
    await app.close();
  });

  it('may be one of several', async () => {
    const second = McpModule.forRoot({ name: 'b', version: '1', server: 'b', http: false, listener: { port: 0 } });
    await using app = await listen(listenerDesk({}, {}, { imports: [second] }));
    const other = app.app.get<McpServer>(getMcpToken(McpServer, 'b'), { strict: false }).listenerUrl ?? '';
    expect(new URL(other).port).not.toBe(new URL(app.origin).port);
    const response = await fetch(other, { method: 'POST', ...mcpRequest('server/discover') });
    expect(await response.text()).toContain('"name":"b"');
  });
});

describe.each(ADAPTERS)('a listener beside the endpoint of an app on $name', (adapter) => {
  it('serves the same components, and ends with the app', async () => {
    await using served = await serve(deskApp({ listener: { port: 0, path: '/own' } }), adapter);
    const url = served.app.get(McpServer, { strict: false }).listenerUrl ?? '';
    expect((await served.call('echo', { text: 'app' })).status).toBe(200);
    const own = new ListenerApp(served.app, new URL(url).origin, '/own');
    expect((await own.call('echo', { text: 'own' })).status).toBe(200);
    expect(own.desk.calls).toEqual(['echo app', 'echo own']);
    await served.app.close();
    await expect(RawConnection.open(own.origin)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('the own listener with TLS', () => {
  const https = selfSigned('localhost');
  let app: ListenerApp;

  beforeEach(async () => {
    app = await listen(listenerDesk({ https, headTimeoutMs: 300 }));
  });
  afterEach(() => app[Symbol.asyncDispose]());

  it('serves those who trust its certificate', async () => {
    expect(app.listenerUrl).toMatch(/^https:/);
    const status = await new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: LIST.headers, ca: https.cert, servername: 'localhost', agent: false };
      const outgoing = request(app.url, { ...options, checkServerIdentity: () => undefined }, (incoming) => {
        incoming.resume().on('end', () => resolve(incoming.statusCode));
      });
      outgoing.on('error', reject).end(LIST.body);
    });
    expect(status).toBe(200);
  });

  it('ends connections that speak no TLS, or do not begin to', async () => {
    using plain = await app.connect();
    plain.write('POST /mcp HTTP/1.1\r\n\r\n');
    await plain.closed;
    using silent = await app.connect();
    await silent.closed;
    expect([await plain.until(''), await silent.until('')]).toEqual(['', '']);
  });

  it('bounds connections of one address, those that have not begun to speak TLS too', async () => {
    await using narrow = await listen(listenerDesk({ https, maxConnectionsPerAddress: 2 }));
    const { hostname, port } = new URL(narrow.origin);
    using silent = await narrow.connect();
    const secure = connectSecurely({ host: hostname, port: Number(port), rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    using extra = await narrow.connect();
    await extra.closed;
    expect(silent.ended).toBe(false);
    secure.destroy();
    silent.destroy();
  });

  it('answers malformed requests behind it', async () => {
    const { hostname, port } = new URL(app.origin);
    const socket = connectSecurely({ host: hostname, port: Number(port), rejectUnauthorized: false });
    socket.write('garbage\r\n\r\n');
    let text = '';
    for await (const piece of socket) text += String(piece);
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('does not wait for a handshake when it closes', async () => {
    const patient = await listen(listenerDesk({ https, headTimeoutMs: 60_000 }));
    using silent = await patient.connect();
    const started = performance.now();
    await patient[Symbol.asyncDispose]();
    expect(performance.now() - started).toBeLessThan(3_500);
    await silent.closed;
  });
});

describe('the official client at the own listener', () => {
  let app: ListenerApp;
  const client = new Client(
    { name: 'spec', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );

  beforeAll(async () => {
    const listening = McpModule.forRoot({
      name: 'gallery',
      version: '1.0.0',
      server: 'listening',
      include: [GalleryModule],
      http: false,
      listener: { port: 0 },
    });
    class ListeningGallery {}
    const context = await NestFactory.createApplicationContext(
      { module: ListeningGallery, imports: [GalleryModule, listening] },
      { logger: false, abortOnError: false },
    );
    const url = context.get<McpServer>(getMcpToken(McpServer, 'listening'), { strict: false }).listenerUrl ?? '';
    app = new ListenerApp(context as never, new URL(url).origin, '/mcp');
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  });

  afterAll(async () => {
    await client.close();
    await app[Symbol.asyncDispose]();
  });

  it('lists, calls, reads and receives progress', async () => {
    expect(client.getServerVersion()?.name).toBe('gallery');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(await client.callTool({ name: 'echo', arguments: { words: '日本語' } })).toMatchObject({
      content: [{ type: 'text', text: '日本語' }],
    });
    const { resources } = await client.listResources();
    const [first] = resources;
    expect((await client.readResource({ uri: first?.uri ?? '' })).contents).not.toEqual([]);
    await expect(client.callTool({ name: 'collapse', arguments: {} })).rejects.toMatchObject({ code: -32603 });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplicationContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { lastValueFrom } from 'rxjs';

import type { McpRequestCaller } from '../../lib/host/index.js';
import { McpContext, McpExecutor, McpNotifier, McpServer, Tool } from '../../lib/index.js';
import { deskApp, Desk, type DeskOptions } from '../support/desk.module.js';
import { mcpRequest, type RequestParts } from '../support/mcp-request.js';
import { checkWireMessage, type WireMessage } from '../support/wire-oracle.js';

const URL_OF_HOST = 'https://host.example.com/agents/mcp?x=1';

interface Seen {
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly originalUrl: string;
  readonly path: string;
  readonly query: object;
  readonly protocol: string;
  readonly hostname: string;
  readonly ip: string | undefined;
  readonly socket: { readonly remoteAddress: string | undefined; readonly encrypted: boolean };
}

let seen: Seen | undefined;

/** For what only this machine may use. */
@Injectable()
class LoopbackGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seen = context.switchToHttp().getRequest<Seen>();
    return seen.ip === '127.0.0.1' || seen.socket.remoteAddress === '127.0.0.1';
  }
}

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const response = http.getResponse<{ setHeader(name: string, value: string): void }>();
    response.setHeader('x-guarded', 'yes');
    response.setHeader('Cache-Control', 'private');
    return http.getRequest<Seen>().headers['authorization'] === 'Bearer right';
  }
}

@Injectable()
class Mirror {
  @Tool({ description: 'Tells what it sees' })
  look(ctx: McpContext): object {
    return { auth: ctx.auth ?? null, isRequest: ctx.request instanceof Request };
  }

  @Tool({ description: 'For this machine alone' })
  @UseGuards(LoopbackGuard)
  local(): string {
    return 'in';
  }

  @Tool({ description: 'Behind a guard' })
  @UseGuards(HeaderGuard)
  guarded(): string {
    return 'in';
  }
}

let app: INestApplicationContext;
let server: McpServer;

async function start(options: DeskOptions = {}): Promise<void> {
  const module = deskApp({ http: false, ...options }, { providers: [Mirror] });
  app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  server = app.get(McpServer, { strict: false });
}

describe('web-standard requests', () => {
  beforeEach(() => start());
  afterEach(() => app.close());

  interface Sent extends RequestParts {
    readonly caller?: McpRequestCaller;
    readonly signal?: AbortSignal;
  }

  function requestOf(method: string, params: object, { signal, ...parts }: Sent = {}): Request {
    const { headers, body } = mcpRequest(method, { ...params }, parts);
    return new Request(URL_OF_HOST, { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) });
  }

  const send = (method: string, params: object = {}, parts: Sent = {}): Promise<Response> =>
    server.handleRequest(requestOf(method, params, parts), parts.caller);

  const call = (name: string, args: object = {}, parts?: Sent): Promise<Response> =>
    send('tools/call', { name, arguments: args }, parts);

  async function messagesOf(response: Response): Promise<WireMessage[]> {
    const text = await response.text();
    const parts = text.split('\n\n').flatMap((event) => {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as WireMessage];
    });
    for (const message of parts) checkWireMessage(message, 'tools/call');
    return parts;
  }

  const running = (): number => app.get(McpExecutor, { strict: false }).stats().running;

  /** Turns of the event loop until something holds; a test's own timeout ends it otherwise. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  }

  describe('a web-standard request', () => {
    it('is answered with JSON', async () => {
      const response = await call('echo', { text: 'é' });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      const message = (await response.json()) as WireMessage;
      checkWireMessage(message, 'tools/call');
      expect(message.result?.['content']).toEqual([{ type: 'text', text: 'é' }]);
    });

    it('is answered with what no cache keeps, unless the app says otherwise', async () => {
      const cacheControlOf = async (pending: Promise<Response>): Promise<unknown[]> => {
        const { status, headers } = await pending;
        return [status, headers.get('cache-control')];
      };
      expect(await cacheControlOf(call('echo', { text: 'x' }))).toEqual([200, 'no-store']);
      expect(await cacheControlOf(send('unknown/method'))).toEqual([404, 'no-store']);
      expect(await cacheControlOf(send('tools/list', {}, { headers: { accept: 'text/html' } }))).toEqual([
        406,
        'no-store',
      ]);
      expect(await cacheControlOf(call('guarded', {}, { headers: { authorization: 'Bearer right' } }))).toEqual([
        200,
        'private',
      ]);
    });

    it('is answered with a stream if the handler sends events first', async () => {
      const response = await call('count', { steps: 3 }, { meta: { progressToken: 't' } });
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const messages = await messagesOf(response);
      expect(messages.map((message) => message.method ?? 'result')).toEqual([
        ...['notifications/progress', 'notifications/progress', 'notifications/progress', 'result'],
      ]);
    });

    it('moves at the pace of its reader', async () => {
      const { calls } = app.get(Desk);
      const response = await call('wait', { steps: 3 }, { meta: { progressToken: 't' } });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await until(() => calls.includes('wait'));
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
      expect(await read()).toContain('"progress":1');
      expect(await read()).toContain('"progress":2');
      expect(await read()).toContain('"progress":3');
      app.get(Desk).release.open('released');
      expect(await read()).toContain('released');
      expect((await reader.read()).done).toBe(true);
    });

    it('is cancelled when its reader cancels the stream', async () => {
      const response = await call('wait', { steps: 1 }, { meta: { progressToken: 't' } });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      const signal = await app.get(Desk).waiting.opened;
      await reader.cancel();
      expect(signal.aborted).toBe(true);
      app.get(Desk).release.open('late');
      await until(() => running() === 0);
    });

    it('is cancelled when its client disconnects before the answer', async () => {
      const stop = new AbortController();
      const pending = call('wait', {}, { signal: stop.signal });
      const signal = await app.get(Desk).waiting.opened;
      stop.abort();
      expect((await pending).status).toBe(499);
      expect(signal.aborted).toBe(true);
      app.get(Desk).release.open('late');
    });

    it('is cancelled when its stream is not read', async () => {
      await app.close();
      await start({ http: { writeTimeoutMs: 20 } });
      const response = await call('wait', { steps: 2 }, { meta: { progressToken: 't' } });
      await app.get(Desk).aborted.opened;
      app.get(Desk).release.open('late');
      await expect(response.text()).rejects.toThrow('given up');
      await until(() => running() === 0);
    });

    it('can be a subscription, which ends with the server', async () => {
      const response = await send('subscriptions/listen', { notifications: { resourceSubscriptions: ['demo://x'] } });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
      expect(await read()).toContain('acknowledged');
      await app.get(McpNotifier, { strict: false }).resourceUpdated('demo://x');
      expect(await read()).toContain('resources/updated');
      const [last] = await Promise.all([read(), app.close()]);
      expect(last).toContain('"resultType":"complete"');
      expect((await reader.read()).done).toBe(true);
    });

    it('shows signs of life while it is silent', async () => {
      await app.close();
      await start({ http: { keepAliveMs: 5 } });
      const response = await send('subscriptions/listen', { notifications: { toolsListChanged: true } });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(': keep-alive\n\n');
      await reader.cancel();
    });

    it('says who calls only where its host does', async () => {
      const look = async (parts?: Sent): Promise<unknown> =>
        ((await (await call('look', {}, parts)).json()) as WireMessage).result?.['structuredContent'];
      expect(await look()).toEqual({ auth: null, isRequest: true });
      expect(await look({ headers: { mcpauth: 'eve' }, meta: { mcpAuth: 'eve' } })).toMatchObject({ auth: null });
      expect(await look({ caller: { auth: { sub: 'ada' } } })).toMatchObject({ auth: { sub: 'ada' } });
      expect(await look({ caller: { request: { mcpAuth: 'ada' } } })).toMatchObject({ auth: 'ada' });
    });

    it.each<[string, McpRequestCaller, string | undefined, number]>([
      ['nowhere', {}, undefined, 403],
      ['elsewhere', { address: '2001:db8::1' }, '2001:db8::1', 403],
      ['no address', { address: 5 as never }, undefined, 403],
      ['this machine', { address: '127.0.0.1' }, '127.0.0.1', 200],
      ['this machine, by other properties', { request: { ip: '127.0.0.1' } }, undefined, 200],
    ])('comes from where its host says: %s', async (_where, caller, address, status) => {
      expect((await call('local', {}, { caller })).status).toBe(status);
      expect(seen).toMatchObject({
        url: '/agents/mcp?x=1',
        originalUrl: '/agents/mcp?x=1',
        path: '/agents/mcp',
        query: { x: '1' },
        protocol: 'https',
        hostname: 'host.example.com',
        socket: { remoteAddress: address, encrypted: true },
      });
      expect(seen?.ip).toBe(caller.request?.['ip'] ?? address);
    });

    it.each([
      ['internal.example.com:8080', 'internal.example.com'],
      ['[2001:db8::1]:80', '[2001:db8::1]'],
    ])('has the host name of its header: %s', async (host, hostname) => {
      await call('local', {}, { headers: { host } });
      expect(seen?.hostname).toBe(hostname);
    });

    it('leaves places for identified callers, however many anonymous requests arrive', async () => {
      await app.close();
      await start({ limits: { maxConcurrency: 3, maxPerOwner: 2 } });
      const strangers = [1, 2, 3].map(() => call('wait'));
      await until(() => {
        const { running: places, queued } = app.get(McpExecutor, { strict: false }).stats();
        return places + queued === 3;
      });
      expect((await call('echo', { text: 'x' }, { caller: { auth: 'ada' } })).status).toBe(200);
      expect((await call('echo', { text: 'x' }, { caller: { address: '1.2.3.4' } })).status).toBe(200);
      app.get(Desk).release.open('released');
      expect((await Promise.all(strangers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    it.each<[string, McpRequestCaller, McpRequestCaller, number]>([
      ['without an address', {}, {}, 503],
      ['with one address', { address: '1.2.3.4' }, { address: '::ffff:1.2.3.4' }, 503],
      ['of one network', { address: '2001:db8::1' }, { address: '2001:db8::2' }, 503],
      ['with two addresses', { address: '1.2.3.4' }, { address: '5.6.7.8' }, 200],
      ['with two names', { auth: 'ada', address: '1.2.3.4' }, { auth: 'bob', address: '1.2.3.4' }, 200],
    ])('counts against its share with others %s', async (_what, one, other, status) => {
      await app.close();
      await start({ limits: { maxConcurrency: 4, maxPerOwner: 1, maxQueuedPerOwner: 0 } });
      const pending = call('wait', {}, { caller: one });
      await app.get(Desk).waiting.opened;
      expect((await call('echo', { text: 'x' }, { caller: other })).status).toBe(status);
      app.get(Desk).release.open('released');
      await pending;
    });

    it('passes guards of components, whose headers go out', async () => {
      const refused = await call('guarded');
      expect(refused.status).toBe(403);
      const response = await call('guarded', {}, { headers: { authorization: 'Bearer right' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-guarded')).toBe('yes');
    });

    it('is a notification without an answer', async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/whatever' });
      const { headers } = mcpRequest('x');
      const response = await server.handleRequest(new Request(URL_OF_HOST, { method: 'POST', headers, body }));
      expect([response.status, await response.text()]).toEqual([202, '']);
    });

    it.each<[string, number, (headers: Record<string, string>) => RequestInit]>([
      ['another method', 405, (headers) => ({ method: 'GET', headers })],
      [
        'a foreign origin',
        403,
        (headers) => ({ method: 'POST', headers: { ...headers, origin: 'https://evil.example.com' }, body: '{}' }),
      ],
      [
        'another type',
        415,
        (headers) => ({ method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' }),
      ],
      ['no JSON', 400, (headers) => ({ method: 'POST', headers, body: '{' })],
      ['an empty body', 400, (headers) => ({ method: 'POST', headers })],
      [
        'an encoded body',
        415,
        (headers) => ({ method: 'POST', headers: { ...headers, 'content-encoding': 'gzip' }, body: '{}' }),
      ],
      ['a large body', 413, (headers) => ({ method: 'POST', headers, body: `"${'x'.repeat(2_000_000)}"` })],
    ])('is refused for %s', async (_what, status, make) => {
      const { headers } = mcpRequest('tools/list');
      const response = await server.handleRequest(new Request(URL_OF_HOST, make(headers)));
      expect(response.status).toBe(status);
      const { error, id } = (await response.json()) as WireMessage & { id?: unknown };
      expect(error).toBeDefined();
      expect(id).toBeUndefined();
    });

    it('is read within its limits, and no further', async () => {
      await app.close();
      await start({ http: { maxBodyBytes: 100, bodyTimeoutMs: 50, readTimeoutMs: 20 } });
      const { headers } = mcpRequest('tools/list');
      const post = (body: ReadableStream<Uint8Array>): Promise<Response> =>
        server.handleRequest(new Request(URL_OF_HOST, { method: 'POST', headers, body, duplex: 'half' }));
      let left = false;
      const cancel = (): void => {
        left = true;
      };
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(64)),
        cancel,
      });
      expect((await post(endless)).status).toBe(413);
      expect(left).toBe(true);
      expect((await post(new ReadableStream({ pull: () => new Promise(() => undefined) }))).status).toBe(408);
      const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) });
      expect((await post(broken)).status).toBe(400);
      const used = new Request(URL_OF_HOST, { method: 'POST', headers, body: '{}' });
      await used.text();
      expect((await server.handleRequest(used)).status).toBe(400);
    });

    it('has a share of what all bodies may hold', async () => {
      await app.close();
      await start({ http: { maxBodyBytes: 1_000, maxPendingBodyBytes: 2_000, readTimeoutMs: 60_000 } });
      const { headers, body } = mcpRequest('tools/list');
      const post = (source: ReadableStream<Uint8Array>, sub: string): Promise<Response> => {
        const request = new Request(URL_OF_HOST, { method: 'POST', headers, body: source, duplex: 'half' });
        return server.handleRequest(request, { auth: { sub } });
      };
      const open: ReadableStreamDefaultController<Uint8Array>[] = [];
      const arriving = (bytes: number): ReadableStream<Uint8Array> =>
        new ReadableStream({
          start: (controller) => {
            open.push(controller);
            controller.enqueue(new Uint8Array(bytes));
          },
        });
      const whole = (): ReadableStream<Uint8Array> => new Blob([body]).stream();
      const held = post(arriving(1_000), 'ada');
      await until(() => open.length === 1);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      let left = false;
      const more = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => {
          left = true;
        },
      });
      const refused = await post(more, 'ada');
      expect([refused.status, refused.headers.get('retry-after'), left]).toEqual([503, '1', true]);
      expect(((await refused.json()) as WireMessage).error.code).toBe(-32603);
      expect((await post(whole(), 'bob')).status).toBe(200);
      open[0]?.close();
      expect((await held).status).toBe(400);
      expect((await post(whole(), 'ada')).status).toBe(200);
    });

    it('is refused when the app has closed', async () => {
      await app.close();
      const response = await call('echo', { text: 'x' });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { code: -32603 } });
    });
  });

  describe('a message of any other host', () => {
    const exchange = (body: string) => ({
      caller: { auth: () => undefined },
      body: () => ({ ok: true as const, bytes: body }),
    });

    it('is prepared, then run or rejected', async () => {
      const prepared = await server.prepare(
        exchange(mcpRequest('tools/call', { name: 'echo', arguments: { text: 'x' } }).body),
      );
      if (prepared.kind !== 'request') throw new Error(prepared.kind);
      const rejected = server.reject(prepared, { status: 503, message: 'No room', data: { later: true } });
      expect(rejected.status).toBe(503);
      expect(JSON.parse(rejected.body ?? '')).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32603, message: 'No room', data: { later: true } },
      });
      const notice = await server.prepare(exchange(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })));
      expect(server.reject(notice, { status: 503, message: 'No room' })).toEqual({ status: 503 });
      const texts: string[] = [];
      await server.execute(prepared).forEach(({ json }) => void texts.push(json));
      expect(texts).toHaveLength(1);
    });

    it('is cancelled by its signal', async () => {
      const prepared = await server.prepare(exchange(mcpRequest('tools/call', { name: 'wait' }).body));
      if (prepared.kind !== 'request') throw new Error(prepared.kind);
      const stop = new AbortController();
      const ended = server
        .execute(prepared, { signal: stop.signal })
        .forEach(() => undefined)
        .catch((error: unknown) => error);
      const signal = await app.get(Desk).waiting.opened;
      stop.abort('enough');
      expect(await ended).toBe('enough');
      expect(signal.aborted).toBe(true);
      app.get(Desk).release.open('late');
    });

    it('cancels the request that a notification names', async () => {
      const caller = { auth: () => ({ sub: 'ada' }), clientInstance: {} };
      const prepare = (body: object) =>
        server.prepare({ caller, body: () => ({ ok: true as const, bytes: JSON.stringify(body) }) });
      const call = await prepare(JSON.parse(mcpRequest('tools/call', { name: 'wait' }).body) as object);
      const notice = await prepare({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      if (call.kind === 'refused' || notice.kind === 'refused') throw new Error('refused');
      const answer = lastValueFrom(server.execute(call), { defaultValue: 'nothing' });
      const signal = await app.get(Desk).waiting.opened;
      expect(await lastValueFrom(server.execute(notice), { defaultValue: 'nothing' })).toBe('nothing');
      expect(signal.aborted).toBe(true);
      app.get(Desk).release.open('late');
      await answer;
    });

    it('is taken only while the app runs', async () => {
      await app.close();
      expect(() => server.prepare(exchange('{}'))).toThrow('has closed');
    });
  });
});

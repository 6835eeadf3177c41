import { createServer, request as send, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  Module,
  UseInterceptors,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import {
  ConcurrencyInterceptor,
  McpModule,
  McpServer,
  Prompt,
  RateLimitInterceptor,
  RateLimitOptions,
  Resource,
  Tool,
  type McpModuleOptions,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

/** Tells who calls by a header, as a guard that has verified a token would. */
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; mcpAuth?: unknown }>();
    const caller = request.headers['x-caller'];
    if (caller !== undefined) request.mcpAuth = { sub: caller };
    return true;
  }
}

/** A class of its own for each test: an interceptor that a decorator holds lives as long as its class. */
function libraryApp(): Type<unknown> {
  @Injectable()
  class Library {
    @Tool({ description: 'Search', server: ['default', 'admin'] })
    @UseInterceptors(new RateLimitInterceptor({ limit: 1 }))
    search(): string {
      return 'found';
    }

    @Resource({ uri: 'library://catalogue', description: 'All books' })
    @UseInterceptors(RateLimitInterceptor)
    catalogue(): string {
      return 'books';
    }

    @Prompt({ description: 'Recommend' })
    @UseInterceptors(RateLimitInterceptor)
    recommend(): string {
      return 'a book';
    }
  }
  const http = { guards: [HeaderGuard] };
  @Module({
    imports: [
      McpModule.forRoot({ name: 'library', version: '1.0.0', http }),
      McpModule.forRoot({ name: 'admin', version: '1.0.0', server: 'admin', path: '/admin', http }),
    ],
    providers: [Library, { provide: RateLimitOptions, useValue: { limit: 1, windowMs: 3_600_000 } }],
  })
  class LibraryApp {}
  return LibraryApp;
}

@Injectable()
class Bell {
  @Tool({ description: 'Ring' })
  ring(): string {
    return 'rung';
  }
}

describe.each(ADAPTERS)('rate limits on $name', (adapter) => {
  it('return the time until the next call, for each caller, component and server', async () => {
    await using served = await serve(libraryApp(), adapter);
    const as = (caller: string) => ({ headers: { 'x-caller': caller } });
    expect((await served.call('search', {}, as('ada'))).message.result).not.toHaveProperty('isError');
    const refused = await served.call('search', {}, as('ada'));
    expect(refused.status).toBe(200);
    expect(refused.message.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^Too many calls\. Try again in (?:60|59|5\d) s\.$/) }],
    });
    expect((await served.call('search', {}, as('bob'))).message.result).not.toHaveProperty('isError');
    const { headers, body } = mcpRequest('tools/call', { name: 'search', arguments: {} }, as('ada'));
    const other = await fetch(`${served.origin}/admin`, { method: 'POST', headers, body });
    expect(await other.json()).not.toHaveProperty('result.isError');
  });

  it('answer with an error and data where no result can carry it, also when bound by class', async () => {
    await using served = await serve(libraryApp(), adapter);
    const read = () => served.send('resources/read', { uri: 'library://catalogue' });
    const get = () => served.send('prompts/get', { name: 'recommend' });
    expect((await read()).message).toHaveProperty('result');
    expect((await get()).message).toHaveProperty('result');
    for (const refused of [await read(), await get()]) {
      expect(refused.message.error).toMatchObject({ code: 429, data: { retryAfterMs: expect.any(Number) } });
    }
  });

  it('of the whole app do not apply to its routes', async () => {
    @Controller('plain')
    class Plain {
      @Get()
      get(): string {
        return 'plain';
      }
    }
    @Module({
      imports: [McpModule.forRoot({ name: 'plain', version: '1.0.0' })],
      controllers: [Plain],
      providers: [
        Bell,
        { provide: APP_INTERCEPTOR, useFactory: () => new RateLimitInterceptor({ limit: 1 }) },
        { provide: APP_INTERCEPTOR, useValue: new ConcurrencyInterceptor() },
      ],
    })
    class PlainApp {}
    await using served = await serve(PlainApp, adapter);
    for (const _ of [1, 2, 3]) expect(await (await fetch(`${served.origin}/plain`)).text()).toBe('plain');
    for (const _ of [1, 2, 3]) expect((await served.send('tools/list')).message).toHaveProperty('result');
    expect((await served.call('ring')).message.result).not.toHaveProperty('isError');
    expect((await served.call('ring')).message.result).toMatchObject({ isError: true });
  });
});

const posted = (headers: Record<string, string> = {}): ReturnType<typeof mcpRequest> =>
  mcpRequest('tools/call', { name: 'ring', arguments: {} }, { headers });

/** Whether a call is let through, made from one of the many addresses that this machine has. */
function ringFrom(localAddress: string, url: string, more?: Record<string, string>): Promise<boolean> {
  const { headers, body } = posted(more);
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers, localAddress, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(!text.includes('isError')));
    });
    request.once('error', reject).end(body);
  });
}

/** Every caller may ring once. */
function bellApp(options: Partial<McpModuleOptions> = {}): Type<unknown> {
  @Module({
    imports: [McpModule.forRoot({ name: 'bell', version: '1.0.0', ...options })],
    providers: [Bell, { provide: APP_INTERCEPTOR, useFactory: () => new RateLimitInterceptor({ limit: 1 }) }],
  })
  class BellApp {}
  return BellApp;
}

interface Host {
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

async function behind(answer: (server: McpServer) => RequestListener): Promise<Host> {
  const app = await NestFactory.createApplicationContext(bellApp({ http: false }), { logger: false });
  const host = createServer(answer(app.get(McpServer, { strict: false })));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const { port } = host.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    await app.close();
    await new Promise((resolve) => host.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}

const HOSTS: readonly (readonly [string, () => Promise<Host>])[] = [
  ...ADAPTERS.map((adapter): readonly [string, () => Promise<Host>] => [
    adapter.name,
    async () => {
      const served = await serve(bellApp(), adapter);
      return { url: served.url, stop: () => served[Symbol.asyncDispose]() };
    },
  ]),
  [
    'the own listener',
    async () => {
      const module = bellApp({ http: false, listener: { port: 0 } });
      const app = await NestFactory.createApplicationContext(module, { logger: false });
      return { url: app.get(McpServer, { strict: false }).listenerUrl ?? '', stop: () => app.close() };
    },
  ],
  ['a server of Node', () => behind((server) => (request, response) => server.handleNode(request, response))],
  [
    'a server of web-standard requests',
    () =>
      behind((server) => (incoming, response) => {
        const { address = '', headers, body } = { address: incoming.socket.remoteAddress, ...posted() };
        const request = new Request('http://localhost/mcp', { method: 'POST', headers, body });
        incoming.resume();
        void server.handleRequest(request, { address }).then(async (answer) => response.end(await answer.text()));
      }),
  ],
];

describe.each(HOSTS)('callers without a name at %s', (_name, start) => {
  it('are counted by address, on all connections', async () => {
    const { url, stop } = await start();
    try {
      expect([await ringFrom('127.0.0.2', url), await ringFrom('127.0.0.2', url)]).toEqual([true, false]);
      expect([await ringFrom('127.0.0.3', url), await ringFrom('127.0.0.3', url)]).toEqual([true, false]);
    } finally {
      await stop();
    }
  });
});

describe('callers without a name behind a proxy', () => {
  const trusting = (): ExpressAdapter => {
    const adapter = new ExpressAdapter();
    adapter.set('trust proxy', 'loopback');
    return adapter;
  };

  it.each([
    ['trusted', 'express', trusting, true],
    ['trusted', 'fastify', () => new FastifyAdapter({ trustProxy: 'loopback' }), true],
    ['not trusted', 'express', () => new ExpressAdapter(), false],
    ['not trusted', 'fastify', () => new FastifyAdapter(), false],
  ] as const)('that is %s are counted as the app sees them: %s', async (_what, name, create, isTrusted) => {
    await using served = await serve(bellApp(), { name, create });
    const ring = (address: string): Promise<boolean> =>
      ringFrom('127.0.0.1', served.url, { 'x-forwarded-for': address });
    expect([await ring('1.2.3.4'), await ring('1.2.3.4'), await ring('5.6.7.8')]).toEqual([true, false, isTrusted]);
  });
});

@Injectable()
class Press {
  most = 0;
  started = 0;
  readonly release = new Gate<string>();
  private running = 0;

  @Tool({ description: 'Print' })
  @UseInterceptors(new ConcurrencyInterceptor({ maxConcurrency: 1, maxQueue: 1 }))
  async print(): Promise<string> {
    this.started += 1;
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    const text = await this.release.opened;
    this.running -= 1;
    return text;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'press', version: '1.0.0' })], providers: [Press] })
class PressApp {}

describe.each(ADAPTERS)('calls at the same time on $name', (adapter) => {
  it('are limited, and a client that leaves while it is queued frees its place', async () => {
    await using served = await serve(PressApp, adapter);
    const press = served.app.get(Press);
    const first = served.call('print');
    await until(() => press.started === 1);
    const posted = mcpRequest('tools/call', { name: 'print', arguments: {} });
    const leaving = await RawConnection.open(served.origin);
    leaving.send({ headers: linesOf(posted), body: posted.body });
    await until(() => statsOf(served).running === 2);
    const refused = await served.call('print');
    expect(refused.message.result).toMatchObject({
      isError: true,
      content: [{ text: 'Too many calls are running. Try again in 1 s.' }],
    });
    leaving[Symbol.dispose]();
    await until(() => statsOf(served).running === 1);
    const second = served.call('print');
    await until(() => statsOf(served).running === 2);
    press.release.open('printed');
    for (const answer of [await first, await second]) {
      expect(answer.message.result).toMatchObject({ content: [{ text: 'printed' }] });
    }
    expect([press.most, press.started]).toEqual([1, 2]);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Module,
  Post,
  RequestMethod,
  VersioningType,
  type DynamicModule,
  type INestApplication,
  type MiddlewareConsumer,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { InvalidOptionsError, McpModule } from '../../lib/index.js';
import { ADAPTERS, EXPRESS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve } from '../support/served-app.js';

const SERVER = McpModule.forRoot({ name: 'guest', version: '1.0.0' });

function appOf(controllers: Type<unknown>[], imports: DynamicModule[] = [SERVER]): Type<unknown> {
  @Module({ controllers, imports })
  class HostModule {}
  return HostModule;
}

/** Whose controllers are registered after the endpoint. */
function appBeside(controllers: Type<unknown>[]): Type<unknown> {
  return appOf([], [SERVER, { module: appOf(controllers, []) }]);
}

async function textAt(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  return `${response.status} ${await response.text()}`;
}

const FOREIGN = { headers: { origin: 'http://evil.example' } };

describe.each(ADAPTERS)('a route of the app on $name', (adapter) => {
  it('that is spelled like the endpoint stays the route of the app', async () => {
    @Controller()
    class Pages {
      @Get('MCP')
      page(): string {
        return 'a page';
      }
    }
    await using served = await serve(appOf([Pages]), adapter);
    expect(await textAt(`${served.origin}/MCP`)).toBe('200 a page');
    expect(await textAt(`${served.origin}/MCP`, FOREIGN)).toBe('200 a page');
    const posted = await textAt(`${served.origin}/MCP`, { method: 'POST', ...mcpRequest('server/discover') });
    expect(posted).toMatch(adapter.name === 'express' ? /^200 \{"jsonrpc"/ : /^404 /);
    expect((await served.send('server/discover')).status).toBe(200);
  });

  it('with parameters gets the requests that the router gives to it', async () => {
    @Controller()
    class Pages {
      @Get(':page')
      page(): string {
        return 'a page';
      }

      @Post('hooks/:name')
      hook(@Body() body: object): object {
        return body;
      }
    }
    await using served = await serve(appOf([Pages]), adapter);
    expect(await textAt(`${served.origin}/other`, FOREIGN)).toBe('200 a page');
    // Express asks routes in their order, Fastify takes a path without parameters first.
    expect(await textAt(served.url)).toMatch(adapter.name === 'express' ? /^200 a page$/ : /^405 /);
    const headers = { 'content-type': 'application/json' };
    const body = '{"a":1}';
    expect(await textAt(`${served.origin}/hooks/mcp`, { method: 'POST', headers, body })).toBe(`201 ${body}`);
    expect((await served.send('server/discover')).status).toBe(200);
  });

  it('may be where an endpoint with a parameter could be', async () => {
    @Controller('health/mcp')
    class Health {
      @Get()
      health(): string {
        return 'fine';
      }
    }
    const excluded = { path: 'health/mcp', method: RequestMethod.GET };
    await using served = await serve(appOf([Health]), adapter, {
      configure: (app) => void app.setGlobalPrefix(':tenant', { exclude: [excluded] }),
      path: '/health/mcp',
    });
    expect(await textAt(served.url, FOREIGN)).toBe('200 fine');
    expect(await textAt(`${served.origin}/acme/mcp`)).toMatch(/^405 /);
    expect((await served.send('server/discover')).status).toBe(200);
  });

  it('may have a separate version on the path of the endpoint', async () => {
    @Controller({ path: 'mcp', version: '2' })
    class Versioned {
      @Get()
      get(): string {
        return 'two';
      }
    }
    await using served = await serve(appOf([Versioned]), adapter, {
      configure: (app) => void app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' }),
    });
    expect(await textAt(served.url, { headers: { 'x-version': '2' } })).toBe('200 two');
    expect(await textAt(served.url)).toMatch(/^405 /);
    expect((await served.send('server/discover')).status).toBe(200);
  });

  it('may have middleware on the path of the endpoint', async () => {
    const seen: string[] = [];
    @Module({ imports: [SERVER] })
    class WatchedModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        const watch = (name: string) => (_request: unknown, _response: unknown, next: () => void) => {
          seen.push(name);
          next();
        };
        consumer.apply(watch('all')).forRoutes('mcp');
        consumer.apply(watch('post')).forRoutes({ path: 'mcp', method: RequestMethod.POST });
      }
    }
    await using served = await serve(WatchedModule, adapter);
    expect((await served.post({ ...mcpRequest('server/discover'), body: '{' })).message.error.code).toBe(-32700);
    expect(seen).toEqual(['all', 'post']);
    expect(await textAt(served.url)).toMatch(/^405 /);
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['get', 'GET', 'after it', appBeside],
    ['post', 'POST', 'after it', appBeside],
    ['post', 'POST', 'before it', appOf],
    // Express lets the first of two routes have what both could take.
    ...(adapter.name === 'fastify' ? [['get', 'GET', 'before it', appOf] as const] : []),
  ] as const)(
    'for %s at the path of the endpoint stops the app (%s, registered %s)',
    async (handler, method, _order, wrap) => {
      @Controller('mcp')
      class Rival {
        @Get()
        get(): void {}
      }
      @Controller('mcp')
      class PostRival {
        @Post()
        post(): void {}
      }
      const controller = handler === 'get' ? Rival : PostRival;
      const started = serve(wrap([controller]), adapter);
      await expect(started).rejects.toThrow(InvalidOptionsError);
      await expect(started).rejects.toThrow(
        new RegExp(
          `^Option "path" of McpModule: the app has the route ${method} /mcp( \\(${controller.name}\\.${handler}\\))?, and the MCP endpoint is at /mcp, so .* Give the endpoint another path, path: '...', or move the route\\.$`,
        ),
      );
    },
  );

  it('of another MCP server at the same path stops the app', async () => {
    const second = McpModule.forRoot({ name: 'second', version: '1.0.0', server: 'second' });
    const started = serve(appOf([], [SERVER, second]), adapter);
    await expect(started).rejects.toThrow(InvalidOptionsError);
    await expect(started).rejects.toThrow(/answer at \/mcp\. Give one of them another path/);
  });
});

describe('a route of the app on fastify that ignores case', () => {
  it('stops the app where it is spelled like the endpoint', async () => {
    @Controller('/MCP/')
    class Pages {
      @Get()
      page(): void {}
    }
    const create = (): FastifyAdapter =>
      new FastifyAdapter({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } });
    const started = serve(appOf([Pages]), { name: 'fastify', create });
    await expect(started).rejects.toThrow(/the app has the route GET \/MCP.*, and the MCP endpoint is at \/mcp, so /);
  });
});

describe('a route of the app on express that controllers do not make', () => {
  it('stays the route of the app where it is the first', async () => {
    const configure = (app: INestApplication): void => {
      app.getHttpAdapter().get('/mcp', ((_request: unknown, response: { end(text: string): void }) => {
        response.end('a page');
      }) as never);
    };
    await using served = await serve(appOf([]), EXPRESS, { configure });
    expect(await textAt(served.url, FOREIGN)).toBe('200 a page');
    expect((await served.send('server/discover')).status).toBe(200);
  });
});

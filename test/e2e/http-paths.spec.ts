import { createRequire } from 'node:module';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { Module, VersioningType, type DynamicModule, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { McpModule } from '../../lib/index.js';
import { ADAPTERS, EXPRESS, type AdapterCase } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { deskApp } from '../support/desk.module.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection, type RawRequest } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';

type Handler = (...parts: readonly unknown[]) => unknown;

interface ExpressInstance {
  set(setting: string, value: unknown): void;
  all(path: string, ...handlers: readonly Handler[]): void;
}

/** The package has no types. */
const express = createRequire(import.meta.url)('express') as {
  (): ExpressInstance;
  readonly json: (options: object) => Handler;
};

const MAX_BYTES = 300_000;
const LIST = mcpRequest('tools/list');
const lines = linesOf(LIST);

/** Requests whose answers differ wherever the body parser or the router of the app has a part in them. */
const REQUESTS: Readonly<Record<string, RawRequest>> = {
  'a good request': { headers: lines, body: LIST.body },
  'truncated JSON': { headers: lines, body: LIST.body.slice(0, -5) },
  'deep JSON': { headers: lines, body: '['.repeat(200_000) },
  'a long number as id': { headers: lines, body: LIST.body.replace('"id":1', '"id":9007199254740993') },
  'a body over the limit': { headers: lines, body: `"${'x'.repeat(MAX_BYTES)}"` },
  'a foreign origin': { headers: [...lines, ['origin', 'http://evil.example']], body: LIST.body },
  GET: { method: 'GET', framing: 'none' },
  'a method that is not routed': { method: 'PURGE', framing: 'none' },
};

/** Everything but the time. */
async function ask(origin: string, target: string, request: RawRequest): Promise<unknown> {
  using connection = await RawConnection.open(origin);
  connection.send({ ...request, target });
  const { status, headers, body } = await connection.answer();
  return { status, headers: [...headers].filter(([name]) => name !== 'date'), body };
}

async function askAll(origin: string, target: string): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  for (const [name, request] of Object.entries(REQUESTS)) answers[name] = await ask(origin, target, request);
  return answers;
}

interface Setting {
  readonly name: string;
  readonly targets: readonly string[];
  readonly only?: AdapterCase['name'];
  readonly create?: AdapterCase['create'];
  readonly configure?: (app: INestApplication) => unknown;
  readonly imports?: readonly unknown[];
}

const OTHER = McpModule.forRoot({ name: 'other', version: '1.0.0', server: 'other', path: '/other' });

/** Express with settings that it reads before its router is made. */
function strictExpress(): ExpressAdapter {
  const app = express();
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  return new ExpressAdapter(app);
}

const fastify = (options: object) => (): FastifyAdapter => new FastifyAdapter(options as never);

/** As tools that trace handlers do it; nothing of the first function is left but its length. */
function wrapped(handler: Handler): Handler {
  return function traced(this: unknown, request: unknown, response: unknown, next: unknown): unknown {
    return handler.call(this, request, response, next);
  };
}

function tracedExpress(): ExpressAdapter {
  const app = express();
  const all = app.all.bind(app);
  app.all = (path, ...handlers) => all(path, ...handlers.map(wrapped));
  return new ExpressAdapter(app);
}

function tracedFastify(): FastifyAdapter {
  const adapter = new FastifyAdapter();
  adapter.getInstance().addHook('onRoute', (route) => {
    route.handler = wrapped(route.handler as Handler);
  });
  return adapter;
}

const SETTINGS: readonly Setting[] = [
  {
    name: 'nothing set',
    targets: ['/mcp', '/mcp?x=1', 'http://127.0.0.1/mcp', 'http://user@127.0.0.1:80/mcp?x=1'],
    imports: [OTHER],
  },
  {
    name: 'a prefix with a parameter',
    targets: ['/acme/mcp', '/a%20b/mcp?x=1', 'http://127.0.0.1/acme/mcp'],
    configure: (app) => app.setGlobalPrefix(':tenant'),
    imports: [OTHER],
  },
  {
    name: 'a prefix from which the endpoint is excluded',
    targets: ['/mcp'],
    configure: (app) => app.setGlobalPrefix('api/:tenant', { exclude: ['mcp'] }),
  },
  {
    name: 'a path of its module',
    targets: ['/x/mcp'],
    imports: [RouterModule.register([{ path: 'x', module: McpModule }])],
  },
  {
    name: 'nested paths of modules with a parameter, and a prefix',
    targets: ['/api/t/acme/tools/mcp'],
    configure: (app) => app.setGlobalPrefix('api'),
    imports: [RouterModule.register([{ path: 't/:tenant', children: [{ path: 'tools', module: McpModule }] }])],
  },
  {
    name: 'versions in addresses',
    targets: ['/api/mcp'],
    configure: (app) =>
      app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', '2'] }),
  },
  {
    name: 'versions in addresses without a prefix',
    targets: ['/mcp'],
    configure: (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1', prefix: false }),
  },
  ...(
    [
      ['express', tracedExpress],
      ['fastify', tracedFastify],
    ] as const
  ).map(([only, create]) => ({
    name: 'handlers that something has wrapped',
    targets: ['/acme/x/mcp'],
    only,
    create,
    configure: (app: INestApplication) => app.setGlobalPrefix('/:tenant/'),
    imports: [RouterModule.register([{ path: '/x/', module: McpModule }]), OTHER],
  })),
  { name: 'the usual leniency', targets: ['/MCP', '/mcp/', '/Mcp/?x=1', 'HTTP://user@127.0.0.1/MCP'], only: 'express' },
  { name: 'no leniency', targets: ['/mcp'], only: 'express', create: strictExpress },
  { name: 'escaped letters', targets: ['/%6dcp', '/%6Dc%70?x=1'], only: 'fastify' },
  {
    name: 'every leniency',
    targets: ['/MCP', '/mcp/', '//mcp', '/mcp//', '/mcp;x=1', '/%6dcp//;x=1'],
    only: 'fastify',
    create: fastify({
      routerOptions: {
        caseSensitive: false,
        ignoreTrailingSlash: true,
        ignoreDuplicateSlashes: true,
        useSemicolonDelimiter: true,
      },
    }),
  },
  {
    name: 'addresses that are rewritten',
    targets: ['/old/address', '/old/address?x=1'],
    only: 'fastify',
    create: fastify({ rewriteUrl: ({ url }: { url: string }) => url.replace('/old/address', '/mcp') }),
  },
];

describe.each(ADAPTERS)('a path that leads to the endpoint on $name', (adapter) => {
  let plain: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    await using served = await serve(deskApp({ http: { maxBodyBytes: MAX_BYTES } }), adapter);
    plain = await askAll(served.origin, '/mcp');
  });

  const settings = SETTINGS.filter(({ only = adapter.name }) => only === adapter.name);

  it.each(settings)('has the answers of a plain one with $name', async ({ targets, create, configure, imports }) => {
    const log = new CapturedLog();
    @Module({ imports: [deskApp({ http: { maxBodyBytes: MAX_BYTES } }), ...((imports ?? []) as Type<unknown>[])] })
    class PlacedModule {}
    await using served = await serve(PlacedModule, create === undefined ? adapter : { ...adapter, create }, {
      configure: async (app) => {
        log.attach(app);
        await configure?.(app);
      },
    });
    for (const target of targets) expect([target, await askAll(served.origin, target)]).toEqual([target, plain]);
    expect(log.texts('warn').filter((text) => text.includes('bodies'))).toEqual([]);
  });
});

describe.each(ADAPTERS)('the warning of bodies that the app reads on $name', (adapter) => {
  const long = `/${'a'.repeat(99)}`;

  it.each([
    ['/a/b/c/mcp?key=secret', '/a/b/c/mcp'],
    ['http://user@127.0.0.1/a/b/c/mcp', '/a/b/c/mcp'],
    [`${long}${long}${long}/mcp`, `${long}${long}…`],
  ])('names the path of the request %s', async (target, path) => {
    const log = new CapturedLog();
    await using served = await serve(deskApp(), adapter, {
      configure: (app) => {
        log.attach(
          app
            .setGlobalPrefix(':a/:b/:c')
            .enableShutdownHooks()
            .use(express.json({ type: '*/*' })),
        );
      },
    });
    await ask(served.origin, target, { headers: lines, body: LIST.body });
    expect(log.texts('warn').filter((text) => text.includes('bodies'))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The app reads bodies before the MCP endpoint ${path} does, .* Let its body parser skip ${path}\\.$`,
        ),
      ),
    ]);
  });
});

const OUTER: DynamicModule = {
  module: class OuterModule {},
  imports: [McpModule.forRoot({ name: 'outer', version: '1.0.0' })],
};

describe('an app within an app of Express', () => {
  async function mount(outer: INestApplication): Promise<INestApplication> {
    const inner = await NestFactory.create(deskApp({ http: { maxBodyBytes: MAX_BYTES } }), new ExpressAdapter(), {
      logger: false,
      abortOnError: false,
    });
    await inner.init();
    outer.use('/sub', inner.getHttpAdapter().getInstance());
    return inner;
  }

  it('has the answers of one that is alone', async () => {
    let inner: INestApplication | undefined;
    await using alone = await serve(deskApp({ http: { maxBodyBytes: MAX_BYTES } }), EXPRESS);
    const plain = await askAll(alone.origin, '/mcp');
    await using served = await serve(OUTER, EXPRESS, { configure: async (app) => void (inner = await mount(app)) });
    for (const target of ['/sub/mcp', '/SUB/MCP/?x=1', 'http://127.0.0.1/sub/mcp']) {
      expect([target, await askAll(served.origin, target)]).toEqual([target, plain]);
    }
    expect((await served.send('server/discover')).text).toContain('"name":"outer"');
    await inner?.close();
  });

  it('is warned of with the whole path', async () => {
    let inner: INestApplication | undefined;
    const log = new CapturedLog();
    await using served = await serve(OUTER, EXPRESS, {
      configure: async (app) => {
        app.use(express.json({ type: '*/*' }));
        inner = await mount(app);
        log.attach(app.enableShutdownHooks());
      },
    });
    await ask(served.origin, '/sub/mcp', { headers: lines, body: LIST.body });
    expect(log.texts('warn')).toEqual([expect.stringContaining('Let its body parser skip /sub/mcp.')]);
    await inner?.close();
  });
});

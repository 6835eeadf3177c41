import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';

import { REPORTS_SERVER } from '../../lib/boot-audit/server-report.js';
import {
  McpModule,
  NotForListing,
  RequireScopes,
  Resource,
  Tool,
  type McpCacheOptions,
  type McpModuleOptions,
} from '../../lib/index.js';
import { BootReport } from '../../lib/boot-audit/boot-report.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';

@Injectable()
class Passing implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
@NotForListing()
class Counting extends Passing {}

@Controller('open')
class OpenController {
  @Get()
  get(): string {
    return '';
  }
}

@Controller('guarded')
@UseGuards(Passing)
class GuardedController {}

class Inherited {
  @Get()
  @UseGuards(Passing)
  get(): string {
    return '';
  }
}

@Controller('method')
class MethodController extends Inherited {}

@Injectable()
class OpenHost {
  @Tool({ description: 'd' })
  open(): void {}

  @Resource({ uri: 'docs://open', description: 'd' })
  openResource(): string {
    return '';
  }
}

@Injectable()
class GuardedHost {
  @Tool({ description: 'd' })
  @UseGuards(Passing)
  guarded(): void {}
}

@Injectable()
class ScopedHost {
  @Tool({ description: 'd' })
  @RequireScopes('read')
  scoped(): void {}
}

@Injectable()
class CountedHost {
  @Resource({ uri: 'docs://counted', description: 'd' })
  @UseGuards(Counting)
  counted(): string {
    return '';
  }
}

interface Case {
  readonly metadata?: ModuleMetadata;
  readonly options?: Partial<McpModuleOptions>;
  readonly configure?: (app: INestApplication) => unknown;
}

/** What the checks find in an app, by their names. */
async function findings(adapter: AdapterCase, { metadata, options, configure }: Case): Promise<readonly string[][]> {
  @Module({
    ...metadata,
    imports: [McpModule.forRoot({ name: 'audited', version: '1.0.0', ...options })],
  })
  class AuditedModule {}
  const app = await NestFactory.create(AuditedModule, adapter.create() as never, {
    logger: false,
    abortOnError: false,
  });
  configure?.(app);
  await app.init();
  try {
    const { findings } = app.get(BootReport, { strict: false })[REPORTS_SERVER]();
    return findings.map(({ check, text }) => [check, text]);
  } finally {
    await app.close();
  }
}

const caching = (cache: McpCacheOptions): Partial<McpModuleOptions> => ({ cache });
const PUBLIC = { scope: 'public', ttlMs: 1_000 } as const;
const globally = { provide: APP_GUARD, useClass: Passing };

const FOUND: Readonly<Record<string, readonly [check: string, text: string, app: Case]>> = {
  'pages of any site may call': [
    'any-origin',
    'http.allowedOrigins holds "*", so web pages of any site may call the MCP endpoint. Name the origins you trust.',
    { options: { http: { allowedOrigins: ['loopback', '*'] } } },
  ],
  'calls may run for ever': [
    'endless-call',
    'limits.requestTimeoutMs is Infinity, so a call that hangs keeps its place for ever. Set it to the longest that a call may take.',
    { options: { limits: { requestTimeoutMs: Number.POSITIVE_INFINITY } } },
  ],
  'a class of routes is guarded, and the endpoint is not': [
    'open-endpoint',
    'GuardedController is guarded, but the MCP endpoint is not. Pass http: { guards: [...] } to McpModule.',
    { metadata: { controllers: [OpenController, GuardedController], providers: [OpenHost] } },
  ],
  'an inherited route is guarded, and the endpoint is not': [
    'open-endpoint',
    'MethodController.get is guarded, but the MCP endpoint is not. Pass http: { guards: [...] } to McpModule.',
    { metadata: { controllers: [MethodController] } },
  ],
  'a public list has a guarded component': [
    'public-cache',
    'cache.tools.scope is "public", but the list of tools depends on the caller, so it is sent as "private" all the same. Make it "private".',
    { metadata: { providers: [GuardedHost] }, options: caching({ tools: PUBLIC }) },
  ],
  'a public list has a component that asks for a scope': [
    'public-cache',
    'cache.tools.scope is "public", but the list of tools depends on the caller, so it is sent as "private" all the same. Make it "private".',
    { metadata: { providers: [ScopedHost] }, options: caching({ tools: PUBLIC }) },
  ],
  'public resources are guarded when they are read': [
    'public-cache',
    'cache.read.scope is "public", but what resources hold depends on the caller, so it is sent as "private" all the same. Make it "private".',
    { metadata: { providers: [CountedHost] }, options: caching({ read: PUBLIC, resources: PUBLIC }) },
  ],
  'a public list is behind guards of the endpoint': [
    'public-cache',
    'cache.resources.scope is "public", but guards stand before the MCP endpoint, so shared caches may show the list of resources to callers whom they refuse. Make it "private".',
    {
      metadata: { providers: [OpenHost] },
      options: { http: { guards: [new Passing()] }, ...caching({ resources: PUBLIC }) },
    },
  ],
  'a public list is behind global guards': [
    'public-cache',
    'cache.prompts.scope is "public", but guards stand before the MCP endpoint, so shared caches may show the list of prompts to callers whom they refuse. Make it "private".',
    { metadata: { providers: [globally] }, options: caching({ prompts: PUBLIC }) },
  ],
};

const guardedRoutes = { controllers: [GuardedController] };

const UNFOUND: Readonly<Record<string, Case>> = {
  'named origins, and a long time for calls': {
    options: {
      http: { allowedOrigins: ['https://app.example.com'] },
      limits: { requestTimeoutMs: 2_000_000_000 },
    },
  },
  'routes without guards': { metadata: { controllers: [OpenController] } },
  'guarded routes, and an endpoint with a guard': {
    metadata: guardedRoutes,
    options: { http: { guards: [new Passing()] } },
  },
  'guarded routes, and a global guard': { metadata: { ...guardedRoutes, providers: [globally] } },
  'guarded routes, and a global guard of main.ts': {
    metadata: guardedRoutes,
    configure: (app) => app.useGlobalGuards(new Passing()),
  },
  'guarded routes, and a guarded component': { metadata: { ...guardedRoutes, providers: [GuardedHost] } },
  'guarded routes, and no endpoint': { metadata: guardedRoutes, options: { http: false } },
  'a public list without guards': {
    metadata: { providers: [OpenHost] },
    options: caching({ tools: PUBLIC, resources: PUBLIC, read: PUBLIC }),
  },
  'another public list than the guarded one': {
    metadata: { providers: [GuardedHost] },
    options: caching({ resources: PUBLIC }),
  },
  'a private list with a guarded component': {
    metadata: { providers: [GuardedHost] },
    options: caching({ tools: { ttlMs: 1_000 } }),
  },
  'a public list whose guards are not asked for it': {
    metadata: { providers: [CountedHost] },
    options: caching({ resources: PUBLIC }),
  },
  'a public discovery behind guards': {
    metadata: { providers: [globally] },
    options: caching({ discover: PUBLIC }),
  },
};

/** The test runner listens for the end of the process itself, which would hide what an app lacks. */
describe.each(ADAPTERS)('the audit of a start on $name', (adapter) => {
  let listeners: NodeJS.SignalsListener[] = [];
  const hooked = (configure?: Case['configure']) => (app: INestApplication) => {
    app.enableShutdownHooks();
    configure?.(app);
  };

  beforeEach(() => {
    listeners = process.listeners('SIGTERM');
    process.removeAllListeners('SIGTERM');
  });

  afterEach(() => {
    process.removeAllListeners('SIGTERM');
    for (const listener of listeners) process.on('SIGTERM', listener);
  });

  it.each(Object.entries(FOUND))('warns in one line when %s', async (_name, [check, text, app]) => {
    expect(await findings(adapter, { ...app, configure: hooked(app.configure) })).toEqual([[check, text]]);
  });

  it.each(Object.entries(UNFOUND))('is silent about %s', async (_name, app) => {
    expect(await findings(adapter, { ...app, configure: hooked(app.configure) })).toEqual([]);
  });

  it('warns of shutdown hooks that are off, unless nothing could be cut', async () => {
    expect(await findings(adapter, {})).toEqual([
      [
        'shutdown-hooks',
        'Shutdown hooks are off, so a SIGTERM cuts running calls. Call app.enableShutdownHooks() before listen().',
      ],
    ]);
    expect(await findings(adapter, { options: { http: false } })).toEqual([]);
  });
});

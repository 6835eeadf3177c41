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
import { APP_GUARD, RouterModule } from '@nestjs/core';

import {
  Completion,
  McpModule,
  Prompt,
  Resource,
  Tool,
  type McpModuleExtras,
  type McpModuleOptions,
} from '../../lib/index.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { serve } from '../support/served-app.js';

const IDENTITY = { name: 'logged', version: '1.0.0' };

interface Booted {
  readonly said: readonly string[];
  readonly warned: readonly string[];
}

async function boot(
  adapter: AdapterCase,
  metadata: ModuleMetadata,
  options: Partial<McpModuleOptions & McpModuleExtras> = {},
  configure?: (app: INestApplication) => unknown,
): Promise<Booted> {
  const { imports = [], ...rest } = metadata;
  @Module({ ...rest, imports: [McpModule.forRoot({ ...IDENTITY, ...options }), ...imports] })
  class LoggedModule {}
  const log = new CapturedLog();
  await using app = await serve(LoggedModule, adapter, {
    configure: (nest) => {
      log.attach(nest);
      configure?.(nest);
    },
  });
  const said = log.lines
    .filter(({ level, context }) => level === 'log' && context === 'McpModule')
    .map(({ text }) => text);
  expect(app.app).toBeDefined();
  return { said, warned: log.texts('warn') };
}

@Injectable()
class Passing implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
class Everything {
  @Tool({ description: 'd' })
  one(): void {}

  @Tool({ description: 'd' })
  two(): void {}

  @Resource({ uri: 'docs://a', description: 'd' })
  resource(): string {
    return '';
  }

  @Resource({ uri: 'docs://{a}/b', description: 'd' })
  template(): string {
    return '';
  }

  @Prompt({ description: 'd', input: { type: 'object', properties: { a: { type: 'string' } } } })
  prompt(): string {
    return '';
  }

  @Completion({ prompt: 'prompt', argument: 'a' })
  completion(): string[] {
    return [];
  }
}

@Injectable()
class Undescribed {
  @Tool()
  bare_tool(): void {}

  @Resource({ uri: 'docs://bare' })
  bare_resource(): string {
    return '';
  }

  @Prompt()
  bare_prompt(): string {
    return '';
  }
}

@Controller('guarded')
@UseGuards(Passing)
class GuardedController {
  @Get()
  get(): string {
    return '';
  }
}

@Injectable()
class GuardedTool {
  @Tool({ description: 'd' })
  @UseGuards(Passing)
  guarded(): void {}
}

/** The test runner listens for the end of the process itself, which would hide what an app lacks. */
describe.each(ADAPTERS)('the log of a start on $name', (adapter) => {
  let listeners: NodeJS.SignalsListener[] = [];

  beforeEach(() => {
    listeners = process.listeners('SIGTERM');
    process.removeAllListeners('SIGTERM');
  });

  afterEach(() => {
    process.removeAllListeners('SIGTERM');
    for (const listener of listeners) process.on('SIGTERM', listener);
  });

  const hooked = (app: INestApplication): unknown => app.enableShutdownHooks();

  it('describes the server in one line, without warnings', async () => {
    expect(await boot(adapter, { providers: [Everything] }, {}, hooked)).toEqual({
      said: ['logged speaks MCP 2026-07-28 at POST /mcp: 2 tools, 1 resources, 1 templates, 1 prompts'],
      warned: [],
    });
  });

  it('says where a server is, and which', async () => {
    const path = { path: '/ai', server: 'admin' };
    const prefixed = await boot(adapter, {}, path, (app) => app.setGlobalPrefix('api').enableShutdownHooks());
    expect(prefixed.said).toEqual([
      'logged (server "admin") speaks MCP 2026-07-28 at POST /api/ai: 0 tools, 0 resources, 0 templates, 0 prompts',
    ]);
    const placed = await boot(
      adapter,
      { imports: [RouterModule.register([{ path: 'tools', module: McpModule }])] },
      { path: '/ai' },
      (app) => app.setGlobalPrefix(':tenant').enableShutdownHooks(),
    );
    expect(placed.said).toEqual([
      'logged speaks MCP 2026-07-28 at POST /:tenant/tools/ai: 0 tools, 0 resources, 0 templates, 0 prompts',
    ]);
    const unreachable = await boot(adapter, {}, { http: false });
    expect(unreachable.said).toEqual([
      'logged speaks MCP 2026-07-28 without an HTTP endpoint: 0 tools, 0 resources, 0 templates, 0 prompts',
    ]);
  });

  it('warns of shutdown hooks that are off, unless nothing could be cut', async () => {
    expect((await boot(adapter, {})).warned).toEqual([expect.stringContaining('app.enableShutdownHooks()')]);
    expect((await boot(adapter, {}, {}, hooked)).warned).toEqual([]);
    expect((await boot(adapter, {}, { http: false })).warned).toEqual([]);
  });

  it('warns once of each component without a description', async () => {
    const { warned } = await boot(adapter, { providers: [Undescribed, Everything] }, {}, hooked);
    expect(warned).toEqual([
      expect.stringMatching(/^Undescribed\.bare_tool: the tool "bare_tool" has no description.*Add one/),
      expect.stringMatching(/^Undescribed\.bare_resource: the resource "bare_resource" has no description/),
      expect.stringMatching(/^Undescribed\.bare_prompt: the prompt "bare_prompt" has no description/),
    ]);
  });

  it('warns of an open endpoint in an app that guards its routes', async () => {
    const guarded = { controllers: [GuardedController] };
    const { warned } = await boot(adapter, guarded, {}, hooked);
    expect(warned).toEqual([
      'GuardedController is guarded, but the MCP endpoint is not. Pass http: { guards: [...] } to McpModule.',
    ]);
    const global = { ...guarded, providers: [{ provide: APP_GUARD, useClass: Passing }] };
    expect((await boot(adapter, guarded, { http: { guards: [Passing] } }, hooked)).warned).toEqual([]);
    expect((await boot(adapter, global, {}, hooked)).warned).toEqual([]);
    expect((await boot(adapter, guarded, { http: false })).warned).toEqual([]);
    const installed = await boot(adapter, guarded, {}, (app) =>
      app.useGlobalGuards(new Passing()).enableShutdownHooks(),
    );
    expect(installed.warned).toEqual([]);
  });

  it('warns of a public cache for a list with a guarded component', async () => {
    const providers = [GuardedTool];
    const open = { cache: { tools: { scope: 'public' as const, ttlMs: 5 } } };
    expect((await boot(adapter, { providers }, open, hooked)).warned).toEqual([
      'cache.tools.scope is "public", but the list of tools depends on the caller, so it is sent as "private" all the same. Make it "private".',
    ]);
    expect((await boot(adapter, { providers: [Everything] }, open, hooked)).warned).toEqual([]);
    expect((await boot(adapter, { providers }, { cache: { tools: { ttlMs: 5 } } }, hooked)).warned).toEqual([]);
    expect((await boot(adapter, { providers }, { cache: { prompts: { scope: 'public' } } }, hooked)).warned).toEqual(
      [],
    );
  });

  it('warns once of a component that no server offers', async () => {
    const second = McpModule.forRoot({ ...IDENTITY, path: '/second', server: 'second' });
    const { warned } = await boot(
      adapter,
      { imports: [second], providers: [GuardedTool] },
      { server: 'first' },
      hooked,
    );
    expect(warned).toEqual([
      expect.stringMatching(/^GuardedTool\.guarded: no server offers it.*Name one of (first, second|second, first)/),
    ]);
  });
});

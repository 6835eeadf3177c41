import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, UseGuards, type DynamicModule, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { ThrottlerModuleOptions } from '@nestjs/throttler';

import { Completion, McpModule, McpRegistry, Prompt, Resource, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { throttlerPackage } from '../support/throttler-package.js';

const { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } = throttlerPackage;

const TTL = 60_000;
const LIMIT = 2;
const TWICE = { default: { limit: LIMIT, ttl: TTL } };

const ran: string[] = [];
const run = (what: string): string => {
  ran.push(what);
  return 'ran';
};

const input = { type: 'object', properties: { a: { type: 'string' } } } as const;

/** The guard stands in front of some, as a user would put it. */
@Injectable()
class Limited {
  @Tool({ description: 'd' })
  @Throttle(TWICE)
  @UseGuards(ThrottlerGuard)
  tool(): string {
    return run('tool');
  }

  @Tool({ description: 'd' })
  free(): string {
    return run('free');
  }

  @Resource({ uri: 'docs://exact', description: 'd' })
  @Throttle(TWICE)
  @UseGuards(ThrottlerGuard)
  resource(): string {
    return run('resource');
  }

  @Resource({ uri: 'docs://{a}/template', description: 'd' })
  @Throttle(TWICE)
  @UseGuards(ThrottlerGuard)
  template(): string {
    return run('template');
  }

  @Prompt({ description: 'd', input })
  @Throttle(TWICE)
  @UseGuards(ThrottlerGuard)
  prompt(): string {
    return run('prompt');
  }

  @Completion({ prompt: 'prompt', argument: 'a' })
  @Throttle(TWICE)
  @UseGuards(ThrottlerGuard)
  completion(): string[] {
    return [run('completion')];
  }
}

/** Nothing of the throttler, or what excludes from it. */
@Injectable()
class Plain {
  @Tool({ description: 'd' })
  one(): string {
    return run('one');
  }

  @Tool({ description: 'd' })
  other(): string {
    return run('other');
  }

  @Tool({ description: 'd' })
  @SkipThrottle()
  skipped(): string {
    return run('skipped');
  }
}

function appOf(options: ThrottlerModuleOptions, global: boolean): DynamicModule {
  @Module({})
  class ThrottledModule {}
  return {
    module: ThrottledModule,
    imports: [McpModule.forRoot({ name: 'throttled', version: '1.0.0' }), ThrottlerModule.forRoot(options)],
    providers: global ? [Plain, { provide: APP_GUARD, useClass: ThrottlerGuard }] : [Limited, Plain],
  };
}

const GENEROUS: ThrottlerModuleOptions = [{ limit: 1_000, ttl: TTL }];

type Request = readonly [string, Readonly<Record<string, unknown>>];

const KINDS = {
  tool: ['tools/call', { name: 'tool' }],
  resource: ['resources/read', { uri: 'docs://exact' }],
  template: ['resources/read', { uri: 'docs://1/template' }],
  prompt: ['prompts/get', { name: 'prompt' }],
  completion: [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'a', value: '' } },
  ],
} satisfies Readonly<Record<string, Request>>;

/** In words: a refusal names itself, whatever carries it. */
async function wordOf({ url }: ServedApp, [method, params]: Request, caller = 'ada'): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    ...mcpRequest(method, params, { headers: { 'x-caller': caller } }),
  });
  const text = await response.text();
  const limited = text.includes('Too Many Requests');
  if (limited) return response.status === 429 ? 'limited by the endpoint' : 'limited';
  return text.includes('"error"') ? text : 'served';
}

async function wordsOf(app: ServedApp, request: Request, count = LIMIT + 2): Promise<string[]> {
  const words: string[] = [];
  for (let index = 0; index < count; index += 1) words.push(await wordOf(app, request));
  return words;
}

describe.each(ADAPTERS)('the throttler of Nest on one component on $name', (adapter) => {
  it.each<[string, Request]>(Object.entries(KINDS))(
    'counts, and refuses a %s without running it',
    async (kind, request) => {
      await using app = await serve(appOf(GENEROUS, false), adapter);
      ran.length = 0;
      expect(await wordsOf(app, request)).toEqual(['served', 'served', 'limited', 'limited']);
      expect(ran).toEqual([kind, kind]);
    },
  );

  it('counts each component on its own, and no other', async () => {
    await using app = await serve(appOf(GENEROUS, false), adapter);
    expect(await wordsOf(app, ['tools/call', { name: 'free' }])).toEqual(Array(LIMIT + 2).fill('served'));
    expect((await wordsOf(app, KINDS.tool)).at(-1)).toBe('limited');
    expect(await wordOf(app, KINDS.prompt)).toBe('served');
    expect(await wordOf(app, ['tools/call', { name: 'free' }])).toBe('served');
  });

  it('says to the model that it is too many, as any exception does', async () => {
    await using app = await serve(appOf(GENEROUS, false), adapter);
    await wordsOf(app, KINDS.tool, LIMIT);
    const { status, message } = await app.call('tool');
    expect(status).toBe(200);
    expect(message.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'ThrottlerException: Too Many Requests' }],
    });
  });

  it('guards components that are registered at run time', async () => {
    await using app = await serve(appOf([{ limit: LIMIT, ttl: TTL }], false), adapter);
    const registry = app.app.get(McpRegistry, { strict: false });
    await registry.addTool({ name: 'late', description: 'd' }, () => run('late'), { guards: [ThrottlerGuard] });
    ran.length = 0;
    expect(await wordsOf(app, ['tools/call', { name: 'late' }])).toEqual(['served', 'served', 'limited', 'limited']);
    expect(ran).toEqual(['late', 'late']);
  });

  it('counts each caller separately if it is identified', async () => {
    const getTracker = async (request: Record<string, unknown>): Promise<string> =>
      Promise.resolve((request['headers'] as Record<string, string>)['x-caller'] ?? '');
    await using app = await serve(appOf({ throttlers: [{ limit: 1_000, ttl: TTL }], getTracker }, false), adapter);
    const request = KINDS.tool;
    const words: string[] = [];
    for (const caller of ['ada', 'ada', 'bob', 'ada', 'bob', 'bob']) words.push(await wordOf(app, request, caller));
    expect(words).toEqual(['served', 'served', 'served', 'limited', 'served', 'limited']);
  });
});

describe.each(ADAPTERS)('the throttler of Nest as APP_GUARD on $name', (adapter) => {
  it('limits the endpoint as it limits any route, with its headers', async () => {
    await using app = await serve(appOf([{ limit: 3, ttl: TTL }], true), adapter);
    ran.length = 0;
    const served = [
      await app.call('one'),
      await app.call('other'),
      // Whatever the method.
      await app.send('tools/list'),
    ];
    expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(served.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['3', '3', '3']);
    const response = await fetch(app.url, { method: 'POST', ...mcpRequest('tools/call', { name: 'one' }) });
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ statusCode: 429, message: 'ThrottlerException: Too Many Requests' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(ran).toEqual(['one', 'other']);
  });

  it('limits each component where routes are left out', async () => {
    const skipIf = (context: ExecutionContext): boolean => context.getType() === 'http';
    await using app = await serve(appOf({ throttlers: [{ limit: LIMIT, ttl: TTL }], skipIf }, true), adapter);
    ran.length = 0;
    const words = await wordsOf(app, ['tools/call', { name: 'one' }]);
    expect(words).toEqual(['served', 'served', 'limited', 'limited']);
    expect(await wordOf(app, ['tools/call', { name: 'other' }])).toBe('served');
    expect(await wordsOf(app, ['tools/list', {}])).toEqual(Array(LIMIT + 2).fill('served'));
    expect(ran).toEqual(['one', 'one', 'other']);
  });

  it('skips a component that is marked so, whose calls still count for the endpoint', async () => {
    await using app = await serve(appOf([{ limit: 3, ttl: TTL }], true), adapter);
    ran.length = 0;
    const words = await wordsOf(app, ['tools/call', { name: 'skipped' }], 4);
    expect(words).toEqual(['served', 'served', 'served', 'limited by the endpoint']);
    const skipIf = (context: ExecutionContext): boolean => context.getType() === 'http';
    await using inside = await serve(appOf({ throttlers: [{ limit: LIMIT, ttl: TTL }], skipIf }, true), adapter);
    expect(await wordsOf(inside, ['tools/call', { name: 'skipped' }])).toEqual(Array(LIMIT + 2).fill('served'));
  });

  it('counts a call once for the endpoint and once for its component', async () => {
    const counted: string[] = [];
    const generateKey = (context: ExecutionContext, tracker: string): string => {
      const key = `${context.getType<string>()} ${context.getHandler().name}`;
      counted.push(key);
      return `${key} ${tracker}`;
    };
    await using app = await serve(appOf({ throttlers: [{ limit: 100, ttl: TTL }], generateKey }, true), adapter);
    counted.length = 0;
    await app.call('one');
    expect(counted).toHaveLength(2);
    expect(counted.map((key) => key.split(' ')[0])).toEqual(['http', 'mcp']);
    expect(counted[1]).toBe('mcp one');
  });
});

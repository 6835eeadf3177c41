import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type Type } from '@nestjs/common';

import { Completion, McpModule, Prompt, Resource, Tool, type McpModuleOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve, type ServedApp } from '../support/served-app.js';

const IDENTITY = { name: 'lists', version: '1.0.0' };

@Injectable()
class Five {
  @Tool({ description: 'd' }) zeta(): void {}
  @Tool({ description: 'd' }) alpha(): void {}
  @Tool({ description: 'd' }) mid(): void {}
  @Tool({ description: 'd' }) beta(): void {}
  @Tool({ description: 'd' }) last(): void {}
  @Prompt({ description: 'd' }) ask(): string {
    return '';
  }
  @Prompt({ description: 'd' }) ask_more(): string {
    return '';
  }
  @Prompt({ description: 'd' }) ask_again(): string {
    return '';
  }
}

function moduleOf(options: Partial<McpModuleOptions>, ...providers: Type<unknown>[]): Type<unknown> {
  @Module({ imports: [McpModule.forRoot({ ...IDENTITY, ...options })], providers })
  class ListsModule {}
  return ListsModule;
}

interface Page {
  readonly names: readonly string[];
  readonly next: string | undefined;
}

async function page(app: ServedApp, cursor?: string, method = 'tools/list'): Promise<Page> {
  const { message } = await app.send(method, cursor === undefined ? {} : { cursor });
  const member = method === 'tools/list' ? 'tools' : 'prompts';
  const items = message.result[member] as unknown as { name: string }[];
  return { names: items.map(({ name }) => name), next: message.result['nextCursor'] as unknown as string | undefined };
}

describe.each(ADAPTERS)('lists on $name', (adapter) => {
  it('come in the order of declaration, page by page, without a cursor on the last', async () => {
    await using app = await serve(moduleOf({ pageSize: 2 }, Five), adapter);
    const first = await page(app);
    const second = await page(app, first.next);
    const third = await page(app, second.next);
    expect([first.names, second.names, third.names]).toEqual([['zeta', 'alpha'], ['mid', 'beta'], ['last']]);
    expect(third.next).toBeUndefined();
    expect(new Set([first.next, second.next]).size).toBe(2);
    const again = await app.send('tools/list', { cursor: second.next });
    expect(again.message.result).not.toHaveProperty('nextCursor');
    expect(await page(app)).toEqual(first);
  });

  it('have no cursor when a page takes them all', async () => {
    await using app = await serve(moduleOf({ pageSize: 5 }, Five), adapter);
    expect((await app.send('tools/list')).message.result).not.toHaveProperty('nextCursor');
  });

  it('go on at another instance of the same app', async () => {
    const Lists = moduleOf({ pageSize: 2 }, Five);
    await using first = await serve(Lists, adapter);
    await using second = await serve(Lists, adapter);
    const { next } = await page(first);
    expect((await page(second, next)).names).toEqual(['mid', 'beta']);
  });

  it.each([
    ['garbage', 'garbage'],
    ['nothing', ''],
    ['a very long one', 'a'.repeat(5000)],
    ['no string', 5],
    ['null', null],
  ])('refuse a cursor that is %s', async (_what, cursor) => {
    await using app = await serve(moduleOf({ pageSize: 2 }, Five), adapter);
    const { message, status } = await app.send('tools/list', { cursor });
    expect(status).toBe(200);
    expect(message.error.code).toBe(-32602);
    expect(message.error.message).toContain('cursor');
  });

  it('refuse cursors of another list and of another page size', async () => {
    await using app = await serve(moduleOf({ pageSize: 2 }, Five), adapter);
    await using other = await serve(moduleOf({ pageSize: 1 }, Five), adapter);
    const foreign = [(await page(app, undefined, 'prompts/list')).next, (await page(other)).next];
    for (const cursor of foreign) {
      expect(typeof cursor).toBe('string');
      const { message } = await app.send('tools/list', { cursor });
      expect(message.error).toMatchObject({ code: -32602, message: expect.stringContaining('not valid') });
    }
  });

  it('say that a cursor is of an earlier state', async () => {
    @Injectable()
    class Sixth {
      @Tool({ description: 'd' }) sixth(): void {}
    }
    await using before = await serve(moduleOf({ pageSize: 2 }, Five), adapter);
    await using after = await serve(moduleOf({ pageSize: 2 }, Five, Sixth), adapter);
    const { message } = await after.send('tools/list', { cursor: (await page(before)).next });
    expect(message.error).toMatchObject({ code: -32602, message: expect.stringContaining('earlier state') });
  });
});

@Injectable()
class OneTool {
  @Tool({ description: 'd' }) only(): void {}
}

@Injectable()
class OneResource {
  @Resource({ uri: 'docs://a', description: 'd' }) only(): string {
    return 'a';
  }
}

@Injectable()
class OneTemplate {
  @Resource({ uri: 'docs://{a}', description: 'd' }) only(): string {
    return 'a';
  }
}

@Injectable()
class OnePrompt {
  @Prompt({ description: 'd', input: { type: 'object', properties: { a: { type: 'string' } } } }) only(): string {
    return 'a';
  }
}

@Injectable()
class OneCompletion {
  @Completion({ prompt: 'only', argument: 'a' }) complete(): string[] {
    return [];
  }
}

const METHODS: Readonly<Record<string, readonly [method: string, params: object][]>> = {
  tools: [
    ['tools/list', {}],
    ['tools/call', { name: 'only' }],
  ],
  resources: [
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'docs://a' }],
  ],
  prompts: [
    ['prompts/list', {}],
    ['prompts/get', { name: 'only' }],
  ],
  completions: [
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'only' }, argument: { name: 'a', value: '' } }],
  ],
};

describe.each(ADAPTERS)('capabilities on $name', (adapter) => {
  it.each([
    ['nothing', [], []],
    ['a tool', [OneTool], ['tools']],
    ['a resource', [OneResource], ['resources']],
    ['a template', [OneTemplate], ['resources']],
    ['a prompt', [OnePrompt], ['prompts']],
    ['a prompt with completion', [OnePrompt, OneCompletion], ['completions', 'prompts']],
    ['everything', [OneTool, OneResource, OnePrompt, OneCompletion], ['completions', 'prompts', 'resources', 'tools']],
  ] as [string, Type<unknown>[], string[]][])(
    'of a server with %s say what is there, and only that works',
    async (_what, providers, kinds) => {
      await using app = await serve(moduleOf({}, ...providers), adapter);
      const { message } = await app.send('server/discover');
      expect(Object.keys(message.result.capabilities ?? {}).toSorted()).toEqual([...kinds, 'logging'].toSorted());
      for (const [kind, methods] of Object.entries(METHODS)) {
        for (const [method, params] of methods) {
          const answer = await app.send(method, { ...params });
          expect([method, answer.status, answer.message.error?.code]).toEqual(
            kinds.includes(kind) ? [method, 200, undefined] : [method, 404, -32601],
          );
        }
      }
    },
  );
});

describe.each(ADAPTERS)('cache hints on $name', (adapter) => {
  const CALLS = {
    discover: ['server/discover', {}],
    tools: ['tools/list', {}],
    prompts: ['prompts/list', {}],
    resources: ['resources/list', {}],
    templates: ['resources/templates/list', {}],
    read: ['resources/read', { uri: 'docs://a' }],
  } as const;

  it.each(Object.keys(CALLS) as (keyof typeof CALLS)[])(
    'of %s come from the options, and change nothing else',
    async (subject) => {
      const hint = { ttlMs: 60_000, scope: 'public' as const };
      await using app = await serve(moduleOf({ cache: { [subject]: hint } }, OneTool, OneResource, OnePrompt), adapter);
      for (const [key, [method, params]] of Object.entries(CALLS)) {
        const { message } = await app.send(method, params);
        const { ttlMs, cacheScope } = message.result;
        expect([key, ttlMs, cacheScope]).toEqual(key === subject ? [key, 60_000, 'public'] : [key, 0, 'private']);
      }
    },
  );

  it('may be given in part', async () => {
    await using app = await serve(
      moduleOf({ cache: { tools: { ttlMs: 5 }, prompts: { scope: 'public' } } }, OneTool, OnePrompt),
      adapter,
    );
    expect((await app.send('tools/list')).message.result).toMatchObject({ ttlMs: 5, cacheScope: 'private' });
    expect((await app.send('prompts/list')).message.result).toMatchObject({ ttlMs: 0, cacheScope: 'public' });
  });
});

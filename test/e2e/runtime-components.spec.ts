import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { of } from 'rxjs';
import { z } from 'zod';

import {
  InjectMcp,
  McpModule,
  McpRegistry,
  progress,
  Tool,
  type ComponentHandle,
  type McpContext,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { serve, ServedApp } from '../support/served-app.js';

@Injectable()
class Declared {
  @Tool({ description: 'd' })
  alpha(): string {
    return 'alpha';
  }

  @Tool({ description: 'd' })
  omega(): string {
    return 'omega';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'runtime', version: '1.0.0', pageSize: 3 })], providers: [Declared] })
class RuntimeModule {}

const registryOf = ({ app }: ServedApp): McpRegistry => app.get(McpRegistry, { strict: false });

const SUBJECT = z.object({ subject: z.string() });
const TEXTS = { type: 'object', properties: { subject: { type: 'string' } } } as const;

interface KindCase {
  readonly add: (registry: McpRegistry, name: string) => Promise<ComponentHandle<{ description?: string }>>;
  readonly list: string;
  readonly member: string;
  readonly use: (app: ServedApp, name: string) => Promise<{ readonly text: string }>;
  readonly rename: (handle: ComponentHandle, name: string) => Promise<void>;
  readonly identity: (name: string) => string;
}

const KINDS: Readonly<Record<string, KindCase>> = {
  tool: {
    add: (registry, name) =>
      registry.addTool({ name, description: 'd', input: SUBJECT }, ({ subject }) => `about ${subject}`),
    list: 'tools/list',
    member: 'tools',
    use: (app, name) => app.call(name, { subject: 'rain' }),
    rename: (handle: ComponentHandle<{ name?: string }>, name) => handle.update({ name }),
    identity: (name) => name,
  },
  prompt: {
    add: (registry, name) =>
      registry.addPrompt({ name, description: 'd', input: SUBJECT }, ({ subject }) => `about ${subject}`),
    list: 'prompts/list',
    member: 'prompts',
    use: (app, name) => app.send('prompts/get', { name, arguments: { subject: 'rain' } }),
    rename: (handle: ComponentHandle<{ name?: string }>, name) => handle.update({ name }),
    identity: (name) => name,
  },
  resource: {
    add: (registry, name) =>
      registry.addResource({ name, uri: `docs://${name}`, description: 'd' }, () => 'about rain'),
    list: 'resources/list',
    member: 'resources',
    use: (app, name) => app.send('resources/read', { uri: `docs://${name}` }),
    rename: (handle: ComponentHandle<{ uri?: string; name?: string }>, name) =>
      handle.update({ name, uri: `docs://${name}` }),
    identity: (name) => `docs://${name}`,
  },
  template: {
    add: (registry, name) =>
      registry.addResource(
        { name, uri: `docs://${name}/{subject}`, description: 'd' },
        ({ subject }: { subject: string }) => `about ${subject}`,
      ),
    list: 'resources/templates/list',
    member: 'resourceTemplates',
    use: (app, name) => app.send('resources/read', { uri: `docs://${name}/rain` }),
    rename: (handle: ComponentHandle<{ uri?: string; name?: string }>, name) =>
      handle.update({ name, uri: `docs://${name}/{subject}` }),
    identity: (name) => `docs://${name}/{subject}`,
  },
};

interface Listed {
  readonly name: string;
  readonly description: string;
}

async function listed(app: ServedApp, { list, member }: Pick<KindCase, 'list' | 'member'>): Promise<readonly Listed[]> {
  const items: Listed[] = [];
  let cursor: unknown;
  do {
    const { message } = await app.send(list, cursor === undefined ? {} : { cursor });
    // Without components of a kind, the server does not know its methods.
    if (message.error !== undefined) return [];
    items.push(...(message.result[member] as unknown as Listed[]));
    cursor = message.result['nextCursor'];
  } while (cursor !== undefined);
  return items;
}

const namesOf = async (app: ServedApp, kind: Pick<KindCase, 'list' | 'member'>): Promise<readonly string[]> =>
  (await listed(app, kind)).map(({ name }) => name).filter((name) => name !== 'alpha' && name !== 'omega');

describe.each(ADAPTERS)('components of the run time on $name', (adapter) => {
  it.each(Object.entries(KINDS))('are added, changed, hidden and removed: %s', async (kind, test) => {
    await using app = await serve(RuntimeModule, adapter);
    const registry = registryOf(app);
    const [first, second, third] = [
      await test.add(registry, 'one'),
      await test.add(registry, 'two'),
      await test.add(registry, 'three'),
    ];
    expect(await namesOf(app, test)).toEqual(['one', 'two', 'three']);
    expect((await test.use(app, 'two')).text).toContain('about rain');
    expect([second.kind, second.name, second.enabled]).toEqual([kind, test.identity('two'), true]);

    await second.update({ description: 'changed' });
    expect((await listed(app, test)).map(({ description }) => description)).toContain('changed');
    second.disable();
    expect(await namesOf(app, test)).toEqual(['one', 'three']);
    expect((await test.use(app, 'two')).text).toContain('"error"');
    second.enable();
    expect((await test.use(app, 'two')).text).toContain('about rain');

    await test.rename(second, 'deux');
    expect(second.name).toBe(test.identity('deux'));
    expect(await namesOf(app, test)).toEqual(['one', 'deux', 'three']);
    expect((await test.use(app, 'two')).text).toContain('"error"');
    expect((await test.use(app, 'deux')).text).toContain('about rain');

    for (const handle of [first, second, third]) handle.remove();
    expect(await namesOf(app, test)).toEqual([]);
    expect((await test.use(app, 'deux')).text).toContain('"error"');
    expect(second.enabled).toBe(false);
  });

  it('complete arguments of existing components', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const registry = registryOf(app);
    const ask = async (): Promise<unknown> =>
      (
        await app.send('completion/complete', {
          ref: { type: 'ref/prompt', name: 'ask' },
          argument: { name: 'subject', value: 'ra' },
        })
      ).message.result?.['completion'];
    await registry.addPrompt({ name: 'ask', description: 'd', input: TEXTS }, () => '');
    expect(await ask()).toBeUndefined();
    const handle = await registry.addCompletion({ prompt: 'ask', argument: 'subject' }, ({ value }) => [`${value}in`]);
    expect(await ask()).toMatchObject({ values: ['rain'] });
    handle.disable();
    expect(await ask()).toMatchObject({ values: [] });
    handle.enable();
    registry.find('prompt', 'ask')?.remove();
    expect(await ask()).toBeUndefined();
    expect(handle.enabled).toBe(false);
  });

  it('are promised once they are there', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const capabilities = async (): Promise<unknown> =>
      (await app.send('server/discover')).message.result['capabilities'];
    expect(await capabilities()).not.toHaveProperty('prompts');
    const handle = await KINDS['prompt']?.add(registryOf(app), 'one');
    expect(await capabilities()).toHaveProperty('prompts');
    handle?.remove();
    expect(await capabilities()).not.toHaveProperty('prompts');
  });

  it('include those that were declared', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const handle = registryOf(app).find('tool', 'alpha');
    handle?.disable();
    expect((await app.call('alpha')).message.error.code).toBe(-32602);
    expect((await listed(app, { list: 'tools/list', member: 'tools' })).map(({ name }) => name)).toEqual(['omega']);
    handle?.enable();
    await handle?.update({ name: 'first' });
    expect((await app.call('first')).message.result.content).toMatchObject([{ text: 'alpha' }]);
    expect((await listed(app, { list: 'tools/list', member: 'tools' })).map(({ name }) => name)).toEqual([
      'first',
      'omega',
    ]);
  });

  it('keep the cursors of clients, when the list is the same again', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const registry = registryOf(app);
    for (const name of ['one', 'two', 'three']) await KINDS['tool']?.add(registry, name);
    const { nextCursor } = (await app.send('tools/list')).message.result as { nextCursor?: string };
    registry.find('tool', 'alpha')?.disable();
    expect((await app.send('tools/list', { cursor: nextCursor })).message.error.message).toContain('earlier state');
    registry.find('tool', 'alpha')?.enable();
    const { message } = await app.send('tools/list', { cursor: nextCursor });
    expect(message.result.tools).toMatchObject([{ name: 'two' }, { name: 'three' }]);
  });

  it('come in any number', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const registry = registryOf(app);
    const names = Array.from({ length: 200 }, (_, index) => `tool_${index}`);
    await Promise.all(names.map((name) => registry.addTool({ name, description: 'd' }, () => name)));
    expect(await namesOf(app, { list: 'tools/list', member: 'tools' })).toEqual(names);
    expect((await app.call('tool_199')).message.result.content).toMatchObject([{ text: 'tool_199' }]);
  });

  it('check arguments, and get the context', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const input = z.object({ count: z.int().default(2) });
    await registryOf(app).addTool({ name: 'count', description: 'd', input }, ({ count }, context: McpContext) => ({
      count,
      id: context.requestId,
      aborted: context.signal.aborted,
    }));
    expect((await app.call('count', {}, { id: 7 })).message.result.structuredContent).toEqual({
      count: 2,
      id: 7,
      aborted: false,
    });
    expect((await app.call('count', { count: 'x' })).message.result.isError).toBe(true);
  });

  it('stream', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const registry = registryOf(app);
    await registry.addTool({ name: 'generate', description: 'd' }, async function* () {
      yield progress(1, 2);
      yield 'generated';
    });
    await registry.addTool({ name: 'observe', description: 'd' }, () => of(progress(1), 'observed'));
    for (const [name, text] of Object.entries({ generate: 'generated', observe: 'observed' })) {
      const { messages, message } = await app.call(name, {}, { meta: { progressToken: 'p' } });
      expect(messages).toHaveLength(2);
      expect(message.result.content).toMatchObject([{ text }]);
    }
  });

  it('finish running calls', async () => {
    await using app = await serve(RuntimeModule, adapter);
    const [started, updated, removed] = [new Gate(), new Gate(), new Gate()];
    const output = z.object({ at: z.string() });
    const handle = await registryOf(app).addTool({ name: 'wait', description: 'd', output }, async () => {
      started.open();
      await Promise.all([updated.opened, removed.opened]);
      return { at: 'last' };
    });
    const call = app.call('wait');
    await started.opened;
    await handle.update({ output: z.object({ other: z.number() }) });
    updated.open();
    handle.remove();
    expect((await app.call('wait')).message.error.code).toBe(-32602);
    removed.open();
    expect((await call).message.result.structuredContent).toEqual({ at: 'last' });
  });
});

@Injectable()
class Starter implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly registry: McpRegistry,
    @InjectMcp(McpRegistry, 'admin') private readonly admin: McpRegistry,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.registry.addTool({ name: 'early', description: 'd' }, () => 'early');
    await this.admin.addTool({ name: 'secret', description: 'd' }, () => 'secret');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.registry.addTool({ description: 'd' }, [Starter, 'late']);
  }

  late(): string {
    return 'late';
  }
}

@Module({
  imports: [
    McpModule.forRoot({ name: 'main', version: '1.0.0' }),
    McpModule.forRoot({ name: 'admin', version: '1.0.0', server: 'admin', path: '/admin' }),
  ],
  providers: [Starter],
})
class StarterModule {}

describe.each(ADAPTERS)('components of hooks on $name', (adapter) => {
  it('are there when the app listens, each on its own server', async () => {
    await using app = await serve(StarterModule, adapter);
    expect((await app.call('early')).message.result.content).toMatchObject([{ text: 'early' }]);
    expect((await app.call('late')).message.result.content).toMatchObject([{ text: 'late' }]);
    expect((await app.call('secret')).message.error.code).toBe(-32602);
    const admin = new ServedApp(app.app, app.origin, '/admin');
    expect((await admin.call('secret')).message.result.content).toMatchObject([{ text: 'secret' }]);
    expect((await admin.call('early')).message.error.code).toBe(-32602);
  });
});

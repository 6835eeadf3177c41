import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';

import { InjectMcp, McpContext, McpModule, McpNotifier, McpRegistry, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { EVERYTHING, heard, ListenedApp, story, townApp } from '../support/listening.js';
import { mcpRequest } from '../support/mcp-request.js';

const LISTS = ['tools', 'prompts', 'resources'] as const;

async function tellEverything({ notifier }: ListenedApp): Promise<void> {
  await notifier.toolsChanged();
  await notifier.promptsChanged();
  await notifier.resourcesChanged();
  for (const uri of ['demo://b', 'demo://a', 'demo://a/x', 'demo://']) await notifier.resourceUpdated(uri);
}

describe.each(ADAPTERS)('a subscription on $name', (adapter) => {
  it.each(LISTS)('receives only %s if it subscribed only to them', async (list) => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const stream = await app.listen({ [`${list}ListChanged`]: true });
    await tellEverything(app);
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', list, 'complete']);
  });

  it('receives changes of one resource, and of none above, below or beside it', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const stream = await app.listen({ resourceSubscriptions: ['demo://a'] });
    await tellEverything(app);
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'demo://a', 'complete']);
  });

  it.each([
    ['demo://café', 'demo://caf%C3%A9'],
    ['demo://caf%c3%a9', 'demo://café'],
    ['demo://caf%C3%A9', 'demo://caf%c3%a9'],
  ])('to %s hears of %s, in its own spelling', async (watched, updated) => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const [own, other] = [
      await app.listen({ resourceSubscriptions: [watched] }),
      await app.listen({ resourceSubscriptions: [updated] }),
    ];
    await app.notifier.resourceUpdated(updated);
    await app.app.close();
    expect(await story(own)).toEqual(['acknowledged', watched, 'complete']);
    expect(await story(other)).toEqual(['acknowledged', updated, 'complete']);
  });

  it('receives changes in order, and only those after its start', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const early = await app.listen({ ...EVERYTHING, resourceSubscriptions: ['demo://a'] });
    await app.notifier.toolsChanged();
    await early.until(({ messages }) => messages.length === 2);
    const late = await app.listen(EVERYTHING);
    await app.notifier.resourceUpdated('demo://a');
    await app.notifier.promptsChanged();
    await app.app.close();
    expect(await story(early)).toEqual(['acknowledged', 'tools', 'demo://a', 'prompts', 'complete']);
    expect(await story(late)).toEqual(['acknowledged', 'prompts', 'complete']);
  });

  it('receives equal changes of one tick once', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const stream = await app.listen({ ...EVERYTHING, resourceSubscriptions: ['demo://a', 'demo://b'] });
    const { notifier } = app;
    const twice = (): Promise<void>[] => [
      notifier.toolsChanged(),
      notifier.resourceUpdated('demo://a'),
      notifier.resourceUpdated('demo://b'),
    ];
    await Promise.all([...twice(), ...twice()]);
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'tools', 'demo://a', 'demo://b', 'complete']);
  });

  it('stays open when a notification cancels its id, since only a disconnect ends it', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const stream = await app.listen(EVERYTHING, { id: 5 });
    const { headers, body } = mcpRequest('notifications/cancelled', { requestId: 5 });
    const { id: _id, ...notification } = JSON.parse(body) as Record<string, unknown>;
    expect((await app.post({ headers, body: JSON.stringify(notification) })).status).toBe(202);
    await app.notifier.toolsChanged();
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'tools', 'complete']);
  });
});

/** Tells its client all that a call can tell. */
@Injectable()
class Talker {
  @Tool({ description: 'Talks' })
  async talk(ctx: McpContext): Promise<string> {
    await ctx.progress(1, 2);
    await ctx.log('emergency', 'a word');
    await ctx.progress(2, 2);
    return 'talked';
  }
}

describe.each(ADAPTERS)('progress and log messages on $name', (adapter) => {
  it('are never sent on a subscription', async () => {
    await using app = await ListenedApp.serve(townApp({}, { providers: [Talker] }), adapter);
    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
    const stream = await app.listen(EVERYTHING, { id: 1, meta });
    const { messages } = await app.call('talk', {}, { id: 1, meta });
    expect(messages.map(({ method }) => method ?? 'result')).toEqual([
      'notifications/progress',
      'notifications/message',
      'notifications/progress',
      'result',
    ]);
    await app.notifier.toolsChanged();
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'tools', 'complete']);
  });
});

describe.each(ADAPTERS)('components that come and go on $name', (adapter) => {
  it('are sent automatically, each for its list', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const registry = app.app.get(McpRegistry, { strict: false });
    using stream = await app.listen(EVERYTHING);
    const told = async (change: () => unknown): Promise<string[]> => {
      const before = stream.messages.length;
      await change();
      await stream.until(({ messages }) => messages.length > before);
      return heard(stream).slice(before);
    };
    const tool = await registry.addTool({ name: 'one', description: 'd' }, () => 'one');
    await stream.until(({ messages }) => messages.length === 2);
    expect(heard(stream)).toEqual(['acknowledged', 'tools']);
    expect(await told(() => tool.disable())).toEqual(['tools']);
    expect(await told(() => tool.enable())).toEqual(['tools']);
    expect(await told(() => tool.update({ description: 'changed' }))).toEqual(['tools']);
    expect(await told(() => tool.remove())).toEqual(['tools']);
    expect(await told(() => registry.addPrompt({ name: 'p', description: 'd' }, () => 'p'))).toEqual(['prompts']);
    const resource = { name: 'r', uri: 'demo://r', description: 'd' };
    expect(await told(() => registry.addResource(resource, () => 'r'))).toEqual(['resources']);
    const template = { name: 't', uri: 'demo://t/{id}', description: 'd' };
    expect(await told(() => registry.addResource(template, () => 't'))).toEqual(['resources']);
    // What clients cannot see is no change.
    tool.remove();
    expect(await told(() => registry.find('prompt', 'p')?.remove())).toEqual(['prompts']);
  });

  it('are few, even for many changes', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const registry = app.app.get(McpRegistry, { strict: false });
    using stream = await app.listen(EVERYTHING);
    const names = Array.from({ length: 200 }, (_, index) => `tool_${index}`);
    await Promise.all(names.map((name) => registry.addTool({ name, description: 'd' }, () => name)));
    const { messages } = stream;
    await stream.until(() => messages.length > 1);
    await app.notifier.promptsChanged();
    await stream.until(() => heard(stream).includes('prompts'));
    expect(messages.length).toBeLessThan(20);
    expect(new Set(heard(stream))).toEqual(new Set(['acknowledged', 'tools', 'prompts']));
  });

  it('can be listened to once there are any', async () => {
    @Module({ imports: [McpModule.forRoot({ name: 'bare', version: '1.0.0' })] })
    class BareModule {}
    await using app = await ListenedApp.serve(BareModule, adapter);
    expect(await story(await app.open(EVERYTHING))).toEqual(['acknowledged', 'complete']);
    const registry = app.app.get(McpRegistry, { strict: false });
    const handle = await registry.addTool({ name: 'one', description: 'd' }, () => 'one');
    using stream = await app.listen(EVERYTHING);
    handle.remove();
    await stream.until(({ messages }) => messages.length > 1);
    expect(heard(stream)).toEqual(['acknowledged', 'tools']);
  });
});

@Injectable()
class Editor {
  constructor(
    private readonly notifier: McpNotifier,
    @InjectMcp(McpNotifier, 'admin') private readonly admin: McpNotifier,
  ) {}

  async edit(): Promise<void> {
    await this.notifier.resourceUpdated('demo://a');
    await this.admin.toolsChanged();
  }
}

/** Imports no module of this library: the notifiers are global. */
@Module({ providers: [Editor] })
class EditorModule {}

describe.each(ADAPTERS)('a provider that announces changes on $name', (adapter) => {
  it('reaches the clients of each server', async () => {
    @Injectable()
    class Admin {
      @Tool({ description: 'd', server: 'admin' })
      secret(): string {
        return 'secret';
      }
    }
    const admin = { name: 'admin', version: '1.0.0', server: 'admin', path: '/admin', isGlobal: true };
    const imports = [McpModule.forRoot(admin), EditorModule];
    await using app = await ListenedApp.serve(townApp({ isGlobal: true }, { imports, providers: [Admin] }), adapter);
    const wanted = { ...EVERYTHING, resourceSubscriptions: ['demo://a'] };
    const [plain, secret] = [await app.listen(wanted), await app.listen(wanted, { path: '/admin' })];
    await app.app.get(Editor, { strict: false }).edit();
    await app.app.close();
    expect(await story(plain)).toEqual(['acknowledged', 'demo://a', 'complete']);
    expect(await story(secret)).toEqual(['acknowledged', 'tools', 'complete']);
  });

  it('gets an error for an invalid URI', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    for (const uri of ['', 'a/b', '/a', 'demo://a b', undefined as unknown as string]) {
      await expect(app.notifier.resourceUpdated(uri)).rejects.toThrow(TypeError);
    }
  });

  it('may announce without subscribers, before the start and after the end', async () => {
    const log = new CapturedLog();
    const configure = log.attach.bind(log);
    await using app = await ListenedApp.serve(townApp(), adapter, { configure });
    await app.notifier.toolsChanged();
    await app.app.close();
    await app.notifier.toolsChanged();
    app.app.get(McpRegistry, { strict: false }).find('tool', 'greet')?.remove();
    await app.notifier.promptsChanged();
    expect(log.lines.filter(({ context }) => context === 'McpSubscriptions')).toEqual([]);
    expect(log.texts('error')).toEqual([]);
  });
});

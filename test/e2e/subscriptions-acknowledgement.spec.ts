import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';

import { InMemoryChangeBus, McpModule, Tool, type ChangeBusListener } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { EVERYTHING, heard, idsOf, ListenedApp, story, SUBSCRIPTION_ID, townApp } from '../support/listening.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { shareApp } from '../support/shared-app.js';
import type { SseStream } from '../support/sse-stream.js';

const LISTEN = 'subscriptions/listen';

const honoured = ({ messages }: SseStream): unknown => messages[0]?.params?.['notifications'];

@Injectable()
class Tools {
  @Tool({ description: 'Says hello' })
  greet(): string {
    return 'hello';
  }
}

/** Nothing but tools, so there are no other lists to listen to. */
@Module({ imports: [McpModule.forRoot({ name: 'tools', version: '1.0.0' })], providers: [Tools] })
class ToolsModule {}

/** Tells of changes at the worst moment: while somebody subscribes, and at once after that. */
class EagerBus extends InMemoryChangeBus {
  override subscribe(listener: ChangeBusListener): () => void {
    const tell = (): void => listener.changed({ server: 'default', change: { kind: 'tools-changed' } });
    tell();
    const unsubscribe = super.subscribe(listener);
    tell();
    queueMicrotask(tell);
    return unsubscribe;
  }
}

describe.each(ADAPTERS)('the acknowledgement of a subscription on $name', (adapter) => {
  it('is sent first, and names the accepted filters', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const wanted = { ...EVERYTHING, resourceSubscriptions: ['demo://a', 'demo://nowhere'] };
    const stream = await app.listen(wanted);
    expect([stream.status, stream.streams]).toEqual([200, true]);
    expect(stream.headers).toMatchObject({
      'cache-control': expect.stringContaining('no-'),
      'x-accel-buffering': 'no',
    });
    expect(stream.headers).not.toHaveProperty('content-length');
    expect(honoured(stream)).toEqual(wanted);
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'complete']);
  });

  it('comes before changes of the same moment', async () => {
    const bus = new EagerBus();
    await using app = await ListenedApp.serve(townApp({ subscriptions: { bus } }), adapter);
    const first = await app.listen(EVERYTHING);
    let flooding = true;
    const flood = (): void => {
      if (!flooding) return;
      for (const kind of ['tools-changed', 'prompts-changed'] as const)
        bus.publish({ server: 'default', change: { kind } });
      setImmediate(flood);
    };
    flood();
    const streams = await Promise.all(Array.from({ length: 20 }, (_, id) => app.listen(EVERYTHING, { id })));
    for (const stream of streams) await stream.until(({ messages }) => messages.length > 2);
    flooding = false;
    await app.app.close();
    for (const stream of [first, ...streams]) {
      const words = await story(stream);
      expect([words[0], words.at(-1)]).toEqual(['acknowledged', 'complete']);
      expect(words.filter((word) => word === 'acknowledged')).toHaveLength(1);
    }
  });

  it.each([
    ['flags that are false', { toolsListChanged: false, promptsListChanged: true }, { promptsListChanged: true }],
    ['an empty list', { resourcesListChanged: true, resourceSubscriptions: [] }, { resourcesListChanged: true }],
    ['a kind of an extension', { toolsListChanged: true, taskIds: ['t'] }, { toolsListChanged: true }],
    ['a URI twice', { resourceSubscriptions: ['demo://a', 'demo://a'] }, { resourceSubscriptions: ['demo://a'] }],
  ])('leaves out %s', async (_name, wanted, left) => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    using stream = await app.listen(wanted);
    expect(honoured(stream)).toEqual(left);
  });

  it('omits what the server does not have', async () => {
    await using app = await ListenedApp.serve(ToolsModule, adapter);
    using stream = await app.listen({ ...EVERYTHING, resourceSubscriptions: ['demo://a'] });
    expect(honoured(stream)).toEqual({ toolsListChanged: true });
  });

  it.each([
    ['nothing is asked for', {}],
    ['nothing is true', { toolsListChanged: false, resourceSubscriptions: [] }],
    ['nothing of it is there', { promptsListChanged: true, resourceSubscriptions: ['demo://a'] }],
  ])('is followed by the end when %s', async (_name, wanted) => {
    await using app = await ListenedApp.serve(ToolsModule, adapter);
    const stream = await app.open(wanted, { id: 'idle' });
    expect(await story(stream)).toEqual(['acknowledged', 'complete']);
    expect(honoured(stream)).toEqual({});
    expect(idsOf(stream)).toEqual(['idle', 'idle']);
    expect(app.listeners).toBe(0);
  });
});

describe.each(ADAPTERS)('the id of a subscription on $name', (adapter) => {
  it.each([7, 0, -1, 9_007_199_254_740_991, '7', '', 'ü "\\ \u2028', 'x'.repeat(256)])(
    '%j stays as it is',
    async (id) => {
      await using app = await ListenedApp.serve(townApp(), adapter);
      const stream = await app.listen({ ...EVERYTHING, resourceSubscriptions: ['demo://a'] }, { id });
      await app.notifier.toolsChanged();
      await app.notifier.promptsChanged();
      await app.notifier.resourcesChanged();
      await app.notifier.resourceUpdated('demo://a');
      await app.app.close();
      expect(await story(stream)).toEqual(['acknowledged', 'tools', 'prompts', 'resources', 'demo://a', 'complete']);
      expect(idsOf(stream)).toEqual(stream.messages.map(() => id));
      expect(stream.messages.at(-1)?.id).toBe(id);
    },
  );

  it.each(['9007199254740993', '-9223372036854775808'])('%s keeps all its digits', async (id) => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const { headers, body } = mcpRequest(LISTEN, { notifications: { toolsListChanged: true } }, { id: 'ID' });
    using connection = await RawConnection.open(app.origin);
    connection.send({ headers: linesOf({ headers, body }), body: body.replace('"ID"', id) });
    await connection.until('acknowledged');
    await app.notifier.toolsChanged();
    await app.app.close();
    const text = (await connection.answer()).body;
    expect(text.split(`"${SUBSCRIPTION_ID}":${id}}`)).toHaveLength(3);
    expect(text).toContain(`"id":${id},`);
    expect(text).toContain(`{"${SUBSCRIPTION_ID}":${id},`);
  });
});

describe.each(ADAPTERS)('what cannot be listened to on $name', (adapter) => {
  const shared = shareApp(townApp(), adapter);
  const uris = (count: number): string[] => Array.from({ length: count }, (_, index) => `demo://${index}`);

  it.each([
    ['no notifications', undefined],
    ['null', null],
    ['a list', []],
    ['a text', 'tools'],
    ['a flag that is a text', { toolsListChanged: 'true' }],
    ['a flag that is a number', { promptsListChanged: 1 }],
    ['a flag that is null', { resourcesListChanged: null }],
    ['URIs that are a text', { resourceSubscriptions: 'demo://a' }],
    ['URIs that are an object', { resourceSubscriptions: { 0: 'demo://a', length: 1 } }],
    ['1,001 URIs', { resourceSubscriptions: uris(1_001) }],
    ['a relative URI', { resourceSubscriptions: ['demo://a', 'a/b'] }],
    ['a path', { resourceSubscriptions: ['/a'] }],
    ['an empty URI', { resourceSubscriptions: [''] }],
    ['a scheme alone', { resourceSubscriptions: ['demo:'] }],
    ['a URI with a space', { resourceSubscriptions: ['demo://a b'] }],
    ['a URI with a line break', { resourceSubscriptions: ['demo://a\n'] }],
    ['a URI that is a number', { resourceSubscriptions: [1] }],
    ['a URI that is null', { resourceSubscriptions: [null] }],
    ['a URI of 2,049 characters', { resourceSubscriptions: [`demo://${'a'.repeat(2_042)}`] }],
  ])('%s is refused', async (_name, notifications) => {
    const answer = await shared.app.send(LISTEN, { notifications }, { id: 'x' });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([200, 'x', -32602]);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.message.error.message).toContain('notifications');
  });

  it('as much as is allowed is taken', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const most = [...uris(999), `demo://${'a'.repeat(2_041)}`];
    using stream = await app.listen({ resourceSubscriptions: most });
    expect(honoured(stream)).toEqual({ resourceSubscriptions: most });
  });

  it('is sent as JSON to clients that accept only JSON, with the id', async () => {
    const headers = { accept: 'application/json' };
    const answer = await shared.app.send(LISTEN, { notifications: EVERYTHING }, { id: 'j', headers });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([406, 'j', -32600]);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it.each(['text/event-stream', '*/*'])('is opened for those who take %s', async (accept) => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    using stream = await app.listen(EVERYTHING, { headers: { accept } });
    expect(heard(stream)).toEqual(['acknowledged']);
  });
});

describe.each(ADAPTERS)('a server without subscriptions on $name', (adapter) => {
  const shared = shareApp(townApp({ subscriptions: false }), adapter);

  it('does not know the method', async () => {
    const answer = await shared.app.send(LISTEN, { notifications: EVERYTHING }, { id: 3 });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([404, 3, -32601]);
  });

  it('promises no notices', async () => {
    const { message } = await shared.app.send('server/discover');
    expect(message.result['capabilities']).toMatchObject({ tools: {}, prompts: {}, resources: {} });
    expect(JSON.stringify(message.result['capabilities'])).not.toMatch(/listChanged|subscribe/);
  });
});

describe.each(ADAPTERS)('a server with subscriptions on $name', (adapter) => {
  const shared = shareApp(townApp(), adapter);

  it('contains only what will be sent', async () => {
    const { message } = await shared.app.send('server/discover');
    expect(message.result['capabilities']).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { CanActivate } from '@nestjs/common';

import { InMemoryChangeBus, McpExecutor, type ChangeBusListener } from '../../lib/index.js';
import { heldBytes } from '../support/held-bytes.js';
import { ADAPTERS } from '../support/adapters.js';
import { EVERYTHING, heard, ListenedApp, story, townApp } from '../support/listening.js';
import type { SseStream } from '../support/sse-stream.js';

const WATCHED = { toolsListChanged: true, resourceSubscriptions: ['demo://a'] } as const;
const LISTENERS = 50;
const PADDING = 1_000_000;
const MEASUREMENTS = 20;

describe.each(ADAPTERS)('the places of subscriptions on $name', (adapter) => {
  const two = townApp({ limits: { maxSubscriptions: 2 } });

  it('are as many as the server says', async () => {
    await using app = await ListenedApp.serve(two, adapter);
    using first = await app.listen(EVERYTHING, { id: 1 });
    using second = await app.listen(EVERYTHING, { id: 1 });
    const third = await app.send('subscriptions/listen', { notifications: EVERYTHING }, { id: 'third' });
    expect([third.status, third.message.id, third.message.error.code]).toEqual([503, 'third', -32603]);
    expect(third.headers.get('retry-after')).toBe('1');
    expect(app.listeners).toBe(2);
    await app.notifier.toolsChanged();
    for (const stream of [first, second]) {
      await stream.until(({ messages }) => messages.length === 2);
      expect(heard(stream)).toEqual(['acknowledged', 'tools']);
    }
  });

  it.each<readonly [string, (stream: SseStream) => void]>([
    ['leaves', (stream) => stream.destroy()],
    ['is cut off', (stream) => stream.reset()],
  ])('are free again when a client %s', async (_name, leave) => {
    await using app = await ListenedApp.serve(two, adapter);
    using first = await app.listen(EVERYTHING);
    const second = await app.listen(EVERYTHING);
    leave(second);
    await app.holds(1);
    using third = await app.listen(EVERYTHING);
    await app.notifier.toolsChanged();
    for (const stream of [first, third]) await stream.until(({ messages }) => messages.length === 2);
    expect(heard(second)).toEqual(['acknowledged']);
  });

  it('are free again when a subscription ends by itself, is refused or never begins', async () => {
    await using app = await ListenedApp.serve(two, adapter);
    for (let round = 0; round < 5; round += 1) {
      expect(await story(await app.open({}))).toEqual(['acknowledged', 'complete']);
      expect((await app.send('subscriptions/listen', {})).message.error.code).toBe(-32602);
      const headers = { accept: 'application/json' };
      expect((await app.send('subscriptions/listen', { notifications: {} }, { headers })).status).toBe(406);
    }
    expect(app.listeners).toBe(0);
  });

  it('are not those of calls, which go on when all are taken', async () => {
    const narrow = townApp({ limits: { maxSubscriptions: 2, maxConcurrency: 1 } });
    await using app = await ListenedApp.serve(narrow, adapter);
    const streams = [await app.listen(EVERYTHING), await app.listen(EVERYTHING)];
    expect((await app.call('greet')).message.result.content).toMatchObject([{ text: 'hello' }]);
    expect(app.app.get(McpExecutor, { strict: false }).stats()).toMatchObject({
      running: 0,
      slots: { subscriptions: 2 },
    });
    for (const stream of streams) stream.destroy();
  });

  it('are half of all for one caller, or as many as the server says', async () => {
    const tell: CanActivate = {
      canActivate(context) {
        const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; mcpAuth?: unknown }>();
        request.mcpAuth = { sub: request.headers['x-caller'] };
        return true;
      },
    };
    const by = (caller: string): { readonly headers: Record<string, string> } => ({ headers: { 'x-caller': caller } });
    for (const [limits, share] of [
      [{}, 2],
      [{ maxSubscriptionsPerOwner: 1 }, 1],
    ] as const) {
      const module = townApp({ http: { guards: [tell] }, limits: { ...limits, maxSubscriptions: 3 } });
      await using app = await ListenedApp.serve(module, adapter);
      const streams = [];
      for (let index = 0; index < share; index += 1) streams.push(await app.listen(EVERYTHING, by('ada')));
      const refused = await app.send('subscriptions/listen', { notifications: EVERYTHING }, by('ada'));
      expect([refused.status, refused.message.error.code]).toEqual([503, -32603]);
      using other = await app.listen(EVERYTHING, by('ben'));
      expect(app.listeners).toBe(share + 1);
      expect(heard(other)).toEqual(['acknowledged']);
      streams[0]?.destroy();
      await app.holds(share);
      using again = await app.listen(EVERYTHING, by('ada'));
      expect(heard(again)).toEqual(['acknowledged']);
      for (const stream of streams) stream.destroy();
    }
  });

  it('are 256 by default', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const streams = await Promise.all(Array.from({ length: 256 }, (_, id) => app.listen(EVERYTHING, { id })));
    expect((await app.open(EVERYTHING)).status).toBe(503);
    expect(app.listeners).toBe(256);
    await app.notifier.toolsChanged();
    for (const stream of streams) {
      await stream.until(({ messages }) => messages.length === 2);
      stream.destroy();
    }
  });
});

/** Counts who listens to it. */
class CountingBus extends InMemoryChangeBus {
  listeners = 0;

  override subscribe(listener: ChangeBusListener): () => void {
    const unsubscribe = super.subscribe(listener);
    this.listeners += 1;
    return () => {
      unsubscribe();
      this.listeners -= 1;
    };
  }
}

describe.each(ADAPTERS)('a hundred clients that come and go on $name', (adapter) => {
  it('are freed, for every way in which a subscription ends', async () => {
    const bus = new CountingBus();
    await using app = await ListenedApp.serve(townApp({ subscriptions: { bus } }), adapter);
    const open = async (index: number): Promise<void> => {
      const stream = await app.listen(WATCHED, { id: index });
      if (index % 10 === 0) stream.reset();
      else stream.destroy();
    };
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => open(round * 10 + index)));
      await app.notifier.toolsChanged();
      await app.notifier.resourceUpdated('demo://a');
    }
    await app.holds(0);
    expect(bus.listeners).toBeLessThanOrEqual(1);
    await app.app.close();
    expect(bus.listeners).toBe(0);
  });
});

describe.each(ADAPTERS)('a subscription on $name', (adapter) => {
  it('does not keep its request', async () => {
    await using app = await ListenedApp.serve(townApp(), adapter);
    const streams = [await app.listen(WATCHED, { meta: { 'com.example/padding': 'x'.repeat(PADDING) } })];
    const before = await heldBytes();
    for (let index = 0; index < LISTENERS; index += 1) {
      // Text of its own each time, which no other copy can stand for.
      const padding = String(index)
        .padStart(4, '0')
        .repeat(PADDING / 4);
      streams.push(await app.listen(WATCHED, { meta: { 'com.example/padding': padding } }));
    }
    expect(app.listeners).toBe(LISTENERS + 1);
    const most = (LISTENERS * PADDING) / 5;
    let grown = Infinity;
    // What the sockets of both sides hold is let go in turns to come.
    for (let round = 0; round < MEASUREMENTS && grown >= most; round += 1) grown = (await heldBytes()) - before;
    expect(grown).toBeLessThan(most);
    for (const stream of streams) stream.destroy();
  });
});

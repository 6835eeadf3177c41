import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';

import {
  ChangeBus,
  getMcpToken,
  InMemoryChangeBus,
  McpModule,
  McpRegistry,
  Tool,
  type BusMessage,
  type ChangeBusListener,
  McpNotifier,
} from '../../lib/index.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { EVERYTHING, heard, ListenedApp, settled, story, townApp } from '../support/listening.js';
import { referenceOf } from '../support/reference.js';

const TOOLS_CHANGED: BusMessage = { server: 'default', change: { kind: 'tools-changed' } };

/** Stands for a connection to another process, which a test breaks. */
class BrittleBus extends ChangeBus {
  readonly published: BusMessage[] = [];
  readonly listeners: ChangeBusListener[] = [];
  /** Thrown by whatever is asked next. */
  trouble: Error | undefined;
  ended = 0;

  publish(message: BusMessage): Promise<void> {
    if (this.trouble !== undefined) return Promise.reject(this.trouble);
    this.published.push(message);
    this.current?.changed(message);
    return Promise.resolve();
  }

  subscribe(listener: ChangeBusListener): () => void {
    if (this.trouble !== undefined) throw this.trouble;
    this.listeners.push(listener);
    return () => {
      this.ended += 1;
    };
  }

  get current(): ChangeBusListener | undefined {
    return this.listeners.at(-1);
  }
}

interface Brittle {
  readonly bus: BrittleBus;
  readonly log: CapturedLog;
  readonly serve: (adapter: AdapterCase) => Promise<ListenedApp>;
}

function brittle(): Brittle {
  const [bus, log] = [new BrittleBus(), new CapturedLog()];
  const module = townApp({ subscriptions: { bus } });
  return { bus, log, serve: (adapter) => ListenedApp.serve(module, adapter, { configure: log.attach.bind(log) }) };
}

describe.each(ADAPTERS)('a bus that fails on $name', (adapter) => {
  it('ends the open subscriptions with an error, and the next one subscribes anew', async () => {
    const { bus, log, serve } = brittle();
    await using app = await serve(adapter);
    const streams = [await app.listen(EVERYTHING, { id: 'a' }), await app.listen(EVERYTHING, { id: 0 })];
    await app.notifier.toolsChanged();
    for (const stream of streams) await stream.until(({ messages }) => messages.length === 2);
    bus.current?.failed(new Error('a detail that must stay inside'));
    for (const [index, stream] of streams.entries()) {
      expect(await story(stream)).toEqual(['acknowledged', 'tools', 'error -32603']);
      expect(stream.messages.at(-1)?.id).toBe(['a', 0][index]);
      expect(JSON.stringify(stream.messages)).not.toContain('detail');
    }
    expect(log.texts('error')).toHaveLength(1);
    expect([app.listeners, bus.listeners.length]).toEqual([0, 1]);
    const next = await app.listen(EVERYTHING);
    expect(bus.listeners).toHaveLength(2);
    // Who has failed is not heard any more.
    bus.listeners[0]?.changed(TOOLS_CHANGED);
    bus.listeners[0]?.failed(new Error('again'));
    await app.notifier.promptsChanged();
    await app.app.close();
    expect(await story(next)).toEqual(['acknowledged', 'prompts', 'complete']);
  });

  it('refuses subscriptions as long as it cannot be heard', async () => {
    const { bus, log, serve } = brittle();
    await using app = await serve(adapter);
    bus.trouble = new Error('a detail that must stay inside');
    const answer = await app.send('subscriptions/listen', { notifications: EVERYTHING }, { id: 2 });
    expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([200, 2, -32603]);
    expect(answer.text).not.toContain('detail');
    const reference = referenceOf(answer.message);
    expect(log.texts('error').filter((text) => text.includes(reference))).toHaveLength(1);
    expect(app.listeners).toBe(0);
    bus.trouble = undefined;
    using stream = await app.listen(EVERYTHING);
    expect(heard(stream)).toEqual(['acknowledged']);
  });

  it('rejects the promise of the sender, and is logged for senders that do not await it', async () => {
    const { bus, log, serve } = brittle();
    await using app = await serve(adapter);
    bus.trouble = new Error('the connection is gone');
    await expect(app.notifier.toolsChanged()).rejects.toThrow('the connection is gone');
    void app.notifier.promptsChanged();
    app.app.get(McpRegistry, { strict: false }).find('tool', 'greet')?.disable();
    const logged = (): number => log.texts('error').length;
    await settled(() => (logged() === 3 ? undefined : `${logged()} errors were logged`));
    expect(log.lines.filter(({ stack }) => stack.includes('the connection is gone'))).toHaveLength(3);
    bus.trouble = undefined;
    await app.notifier.toolsChanged();
    expect(bus.published).toEqual([TOOLS_CHANGED]);
  });

  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['a text', 'tools'],
    ['a change without a server', { change: { kind: 'tools-changed' } }],
    ['a change of no known kind', { server: 'default', change: { kind: 'constructor' } }],
    ['an update of nothing', { server: 'default', change: { kind: 'resource-updated', uri: 1 } }],
  ])('or delivers %s does no harm', async (_name, message) => {
    const { bus, serve } = brittle();
    await using app = await serve(adapter);
    const stream = await app.listen(EVERYTHING);
    bus.current?.changed(message as BusMessage);
    bus.current?.changed(JSON.parse(JSON.stringify(TOOLS_CHANGED)) as BusMessage);
    await app.app.close();
    expect(await story(stream)).toEqual(['acknowledged', 'tools', 'complete']);
  });

  it('is let go when the app closes, once', async () => {
    const { bus, serve } = brittle();
    await using app = await serve(adapter);
    const streams = [await app.listen(EVERYTHING), await app.listen(EVERYTHING)];
    expect([bus.listeners.length, bus.ended]).toEqual([1, 0]);
    await app.app.close();
    expect(bus.ended).toBe(1);
    bus.current?.failed(new Error('too late'));
    for (const stream of streams) expect(await story(stream)).toEqual(['acknowledged', 'complete']);
  });
});

@Injectable()
class Admin {
  @Tool({ description: 'd', server: 'admin' })
  secret(): string {
    return 'secret';
  }
}

describe.each(ADAPTERS)('a bus that is shared on $name', (adapter) => {
  it('by two servers of one app keeps their changes apart', async () => {
    const subscriptions = { bus: new InMemoryChangeBus() };
    const admin = McpModule.forRoot({ name: 'admin', version: '1', server: 'admin', path: '/admin', subscriptions });
    const module = townApp({ subscriptions }, { imports: [admin], providers: [Admin] });
    await using app = await ListenedApp.serve(module, adapter);
    const [plain, secret] = [await app.listen(EVERYTHING), await app.listen(EVERYTHING, { path: '/admin' })];
    const notifier: McpNotifier = app.app.get(getMcpToken(McpNotifier, 'admin'), { strict: false });
    await notifier.toolsChanged();
    await app.notifier.promptsChanged();
    await app.app.close();
    expect(await story(plain)).toEqual(['acknowledged', 'prompts', 'complete']);
    expect(await story(secret)).toEqual(['acknowledged', 'tools', 'complete']);
  });

  it('by two apps carries changes of each to the clients of both', async () => {
    const subscriptions = { bus: new InMemoryChangeBus() };
    await using one = await ListenedApp.serve(townApp({ subscriptions }), adapter);
    await using two = await ListenedApp.serve(townApp({ subscriptions }), adapter);
    const wanted = { ...EVERYTHING, resourceSubscriptions: ['demo://a'] };
    const streams = [await one.listen(wanted), await two.listen(wanted)];
    await one.notifier.toolsChanged();
    await two.notifier.resourceUpdated('demo://a');
    await one.app.close();
    await two.notifier.promptsChanged();
    await two.app.close();
    const [first, second] = await Promise.all(streams.map(story));
    expect(first).toEqual(['acknowledged', 'tools', 'demo://a', 'complete']);
    expect(second).toEqual(['acknowledged', 'tools', 'demo://a', 'prompts', 'complete']);
  });

  it('by no one is the own bus of each app', async () => {
    await using one = await ListenedApp.serve(townApp(), adapter);
    await using two = await ListenedApp.serve(townApp(), adapter);
    const streams = [await one.listen(EVERYTHING), await two.listen(EVERYTHING)];
    await one.notifier.toolsChanged();
    await one.app.close();
    await two.app.close();
    const [first, second] = await Promise.all(streams.map(story));
    expect(first).toEqual(['acknowledged', 'tools', 'complete']);
    expect(second).toEqual(['acknowledged', 'complete']);
  });
});

import { describe, expect, it } from '@jest/globals';

import { BusNotifier } from '../../../lib/subscriptions/bus-notifier.js';
import { ChangeBus, type BusMessage } from '../../../lib/subscriptions/change-bus.js';
import { Gate } from '../../support/gate.js';
import { nameOf } from './recording-listener.js';

class Bus extends ChangeBus {
  readonly messages: BusMessage[] = [];

  constructor(private readonly answer: () => void | Promise<void> = () => {}) {
    super();
  }

  get published(): string[] {
    return this.messages.map(({ change }) => nameOf(change));
  }

  publish(message: BusMessage): void | Promise<void> {
    this.messages.push(message);
    return this.answer();
  }

  subscribe(): () => void {
    return () => {};
  }
}

describe('BusNotifier', () => {
  it('publishes each kind of change under the name of its server', async () => {
    const bus = new Bus();
    const notifier = new BusNotifier('admin', bus);
    await notifier.toolsChanged();
    await notifier.promptsChanged();
    await notifier.resourcesChanged();
    await notifier.resourceUpdated('demo://caf%c3%a9');
    expect(bus.messages).toEqual([
      { server: 'admin', change: { kind: 'tools-changed' } },
      { server: 'admin', change: { kind: 'prompts-changed' } },
      { server: 'admin', change: { kind: 'resources-changed' } },
      { server: 'admin', change: { kind: 'resource-updated', uri: 'demo://caf%c3%a9' } },
    ]);
  });

  it('publishes a burst once for each kind and resource, in the order of the first notices', async () => {
    const bus = new Bus();
    const notifier = new BusNotifier('default', bus);
    const notices = Array.from({ length: 200 }, () => [
      notifier.toolsChanged(),
      notifier.resourceUpdated('demo://café'),
      notifier.resourceUpdated('demo://caf%C3%A9'),
      notifier.promptsChanged(),
    ]);
    expect(bus.published).toEqual([]);
    await Promise.all(notices.flat());
    expect(bus.published).toEqual(['tools-changed', 'demo://café', 'prompts-changed']);
  });

  it('publishes again what changes after it was published', async () => {
    const gate = new Gate();
    const bus = new Bus(() => gate.opened);
    const notifier = new BusNotifier('default', bus);
    const first = notifier.toolsChanged();
    await Promise.resolve();
    await Promise.resolve();
    expect(bus.published).toEqual(['tools-changed']);
    const second = notifier.toolsChanged();
    gate.open();
    await Promise.all([first, second]);
    expect(bus.published).toEqual(['tools-changed', 'tools-changed']);
  });

  it('resolves every notice when the bus has taken the change, not before', async () => {
    const gate = new Gate();
    const notifier = new BusNotifier('default', new Bus(() => gate.opened));
    const resolved: number[] = [];
    const note = async (number: number): Promise<void> => {
      await notifier.toolsChanged();
      resolved.push(number);
    };
    const notes = [note(1), note(2)];
    await new Promise(setImmediate);
    expect(resolved).toEqual([]);
    gate.open();
    await Promise.all(notes);
    expect(resolved).toEqual([1, 2]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no connection'))],
    [
      'throws',
      () => {
        throw new Error('no connection');
      },
    ],
  ])('rejects every notice when the bus %s, and the next one tries again', async (_how, refuse) => {
    let answer: () => void | Promise<void> = refuse;
    const notifier = new BusNotifier('default', new Bus(() => answer()));
    const outcomes = await Promise.allSettled([
      notifier.toolsChanged(),
      notifier.toolsChanged(),
      notifier.resourceUpdated('demo://a'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    answer = () => {};
    await expect(notifier.toolsChanged()).resolves.toBeUndefined();
  });

  it.each([
    ['readme', '"readme" is not'],
    ['/readme', '"/readme" is not'],
    ['', '"" is not'],
    ['demo://a b', '"demo://a b" is not'],
    ['demo://\ud800', '"demo://\\ud800" is not'],
    [undefined, 'A undefined is not'],
    [new URL('demo://a'), 'A object is not'],
  ])('refuses to publish %j as a resource', async (uri, complaint) => {
    const bus = new Bus();
    const refusal = new BusNotifier('default', bus).resourceUpdated(uri as string);
    await expect(refusal).rejects.toThrow(TypeError);
    await expect(refusal).rejects.toThrow(
      `${complaint} an absolute URI. Start it with a scheme, as in "docs://readme"`,
    );
    expect(bus.published).toEqual([]);
  });
});

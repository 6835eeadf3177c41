import { Logger } from '@nestjs/common';
import { beforeEach, describe, expect, it } from '@jest/globals';

import type { Change, ChangeFilter } from '../../../lib/model/change.js';
import { InMemoryChangeBus } from '../../../lib/subscriptions/change-bus.js';
import { SubscriptionHub } from '../../../lib/subscriptions/subscription.hub.js';
import { CapturedLog } from '../../support/captured-log.js';
import { ManualBus } from './manual-bus.js';
import { quickListener, RecordingListener, updated, wants } from './recording-listener.js';

const OPTIONS = { server: 'default', maxPendingChanges: 2, overflow: 'drop-oldest' } as const;
const atOnce = (run: () => void): void => run();
const TOOLS: Change = { kind: 'tools-changed' };
const PROMPTS: Change = { kind: 'prompts-changed' };
const NOTHING = { listeners: 0, uris: 0, delivered: 0, coalesced: 0, dropped: 0 };

let log: CapturedLog;
let bus: ManualBus;
let hub: SubscriptionHub;

function publish(...changes: readonly Change[]): void {
  for (const change of changes) bus.publish({ server: 'default', change });
}

function opened(filter: Partial<ChangeFilter>, listener = quickListener()): RecordingListener {
  hub.open(wants(filter), listener);
  return listener;
}

describe('SubscriptionHub', () => {
  beforeEach(() => {
    log = new CapturedLog();
    Logger.overrideLogger(log);
    bus = new ManualBus();
    hub = new SubscriptionHub(OPTIONS, bus, atOnce);
  });

  describe('the changes of a listener', () => {
    it('are those it subscribed to, in the order of the bus', () => {
      const all = opened({ tools: true, prompts: true, resources: true, uris: ['demo://a', 'demo://b'] });
      const some = opened({ prompts: true, uris: ['demo://b'] });
      publish(TOOLS, updated('demo://b'), PROMPTS, updated('demo://c'), { kind: 'resources-changed' });
      expect(all.heard).toEqual(['tools-changed', 'demo://b', 'prompts-changed', 'resources-changed']);
      expect(some.heard).toEqual(['demo://b', 'prompts-changed']);
    });

    it('is less from when it is narrowed', () => {
      const listener = quickListener();
      const subscription = hub.open(wants({ tools: true, uris: ['demo://a', 'demo://b'] }), listener);
      publish(updated('demo://a'));
      subscription.narrow(['demo://b']);
      publish(updated('demo://a'), updated('demo://b'), TOOLS);
      expect(listener.heard).toEqual(['demo://a', 'demo://b', 'tools-changed']);
      expect(hub.stats()).toMatchObject({ listeners: 1, uris: 1 });
      subscription.close();
      expect(hub.stats()).toMatchObject({ listeners: 0, uris: 0 });
    });

    it('is one object for all, so that it need be encoded once', () => {
      const listeners = Array.from({ length: 3 }, () => opened({ tools: true, uris: ['demo://a'] }));
      publish(TOOLS, updated('demo://a'));
      expect(new Set(listeners.flatMap(({ changes }) => changes)).size).toBe(2);
    });

    it('have the spelling of the subscriber, not that of the publisher', () => {
      const [raw, escaped] = [opened({ uris: ['demo://é'] }), opened({ uris: ['demo://%c3%a9'] })];
      publish(updated('demo://%C3%A9'));
      publish(updated('demo://é'));
      expect([raw.heard, escaped.heard]).toEqual([
        ['demo://é', 'demo://é'],
        ['demo://%c3%a9', 'demo://%c3%a9'],
      ]);
    });

    it('is nothing of another server on the same bus', () => {
      const shared = new InMemoryChangeBus();
      const [one, other] = ['one', 'other'].map((server) => {
        const listener = quickListener();
        new SubscriptionHub({ ...OPTIONS, server }, shared).open(wants({ tools: true }), listener);
        return listener;
      });
      shared.publish({ server: 'one', change: TOOLS });
      expect([one?.heard, other?.heard]).toEqual([['tools-changed'], []]);
      expect(log.lines).toEqual([]);
    });

    it('waits while it writes, and does not hold others up', () => {
      const slow = opened({ tools: true, prompts: true }, new RecordingListener());
      const quick = opened({ tools: true, prompts: true });
      publish(TOOLS, PROMPTS, TOOLS, PROMPTS);
      expect(slow.heard).toEqual(['tools-changed']);
      expect(quick.heard).toEqual(['tools-changed', 'prompts-changed', 'tools-changed', 'prompts-changed']);
      expect(hub.stats()).toEqual({ listeners: 2, uris: 0, delivered: 5, coalesced: 1, dropped: 0 });
    });
  });

  describe('what changes while a change is passed on', () => {
    it('is heard by all after it', () => {
      const first = opened(
        { tools: true, prompts: true },
        new RecordingListener((change, written) => {
          written();
          if (change.kind === 'tools-changed') publish(PROMPTS);
        }),
      );
      const second = opened({ tools: true, prompts: true });
      publish(TOOLS);
      expect([first.heard, second.heard]).toEqual([
        ['tools-changed', 'prompts-changed'],
        ['tools-changed', 'prompts-changed'],
      ]);
    });

    it('reaches those who opened before it was published, also meanwhile', () => {
      const late = quickListener();
      const latest = quickListener();
      opened(
        { tools: true },
        new RecordingListener(() => {
          opened({ tools: true, prompts: true }, late);
          publish(PROMPTS);
          opened({ tools: true, prompts: true }, latest);
        }),
      );
      publish(TOOLS);
      expect([late.heard, latest.heard]).toEqual([['prompts-changed'], []]);
    });

    it('does not reach those whom another listener closed', () => {
      const closed = quickListener();
      opened({ tools: true }, new RecordingListener(() => subscription.close()));
      const subscription = hub.open(wants({ tools: true }), closed);
      const last = opened({ tools: true });
      publish(TOOLS);
      expect([closed.heard, last.heard]).toEqual([[], ['tools-changed']]);
    });

    it('is over, with a listener that leaves and subscribes again each time', () => {
      const comingBack = new RecordingListener(() => {
        subscription.close();
        subscription = hub.open(wants({ tools: true }), comingBack);
      });
      let subscription = hub.open(wants({ tools: true }), comingBack);
      publish(TOOLS, TOOLS);
      expect(comingBack.heard).toEqual(['tools-changed', 'tools-changed']);
      expect(hub.stats().listeners).toBe(1);
    });

    it('leaves out a listener that throws, and no other', () => {
      const broken = opened(
        { tools: true },
        new RecordingListener(() => {
          throw new Error('broken');
        }),
      );
      const sound = opened({ tools: true });
      publish(TOOLS, TOOLS);
      expect([broken.heard, broken.ends]).toEqual([['tools-changed'], ['failed']]);
      expect([sound.heard, hub.stats().listeners]).toEqual([['tools-changed', 'tools-changed'], 1]);
    });
  });

  describe('the end of a hub', () => {
    it('comes at once for those who wait for nothing, and for others after what waits', () => {
      const [idle, slow] = [opened({ tools: true }), opened({ tools: true, prompts: true }, new RecordingListener())];
      publish(TOOLS, PROMPTS);
      hub.complete();
      hub.complete();
      publish(TOOLS);
      expect([idle.ends, slow.ends, hub.stats().listeners]).toEqual([['complete'], [], 1]);
      slow.write();
      slow.write();
      expect([slow.heard, slow.ends]).toEqual([['tools-changed', 'prompts-changed'], ['complete']]);
      expect([idle.heard, bus.unsubscribed, hub.stats().listeners]).toEqual([['tools-changed'], 1, 0]);
    });

    it('does not affect closed listeners', () => {
      const listener = new RecordingListener();
      const subscription = hub.open(wants({ tools: true }), listener);
      publish(TOOLS, TOOLS);
      subscription.close();
      hub.complete();
      listener.write();
      expect([listener.heard, listener.ends]).toEqual([['tools-changed'], []]);
    });

    it('delivers earlier changes to all listeners, also if it happens inside a delivery', () => {
      opened(
        { tools: true },
        new RecordingListener((_change, written) => {
          publish(PROMPTS);
          hub.complete();
          written();
        }),
      );
      const other = opened({ tools: true, prompts: true });
      publish(TOOLS);
      expect([other.heard, other.ends]).toEqual([['tools-changed', 'prompts-changed'], ['complete']]);
    });

    it('is delivered to a late listener right after open has returned', async () => {
      hub.complete();
      const [late, gone] = [new RecordingListener(), new RecordingListener()];
      hub.open(wants({ tools: true }), late);
      hub.open(wants({ tools: true }), gone).close();
      expect(late.ends).toEqual([]);
      await Promise.resolve();
      expect([late.ends, gone.ends, bus.listeners, hub.stats()]).toEqual([['complete'], [], [], NOTHING]);
    });
  });

  it('holds 10,000 listeners, and wakes only those concerned', () => {
    const listeners = Array.from({ length: 10_000 }, (_, number) => {
      const listener = quickListener();
      return { listener, subscription: hub.open(wants({ uris: [`demo://${number % 5_000}`] }), listener) };
    });
    publish(updated('demo://123'));
    const woken = listeners.flatMap(({ listener }, number) => (listener.heard.length > 0 ? [number] : []));
    expect(woken).toEqual([123, 5_123]);
    expect(hub.stats()).toEqual({ listeners: 10_000, uris: 5_000, delivered: 2, coalesced: 0, dropped: 0 });
    for (const { subscription } of listeners) subscription.close();
    expect(hub.stats()).toEqual({ ...NOTHING, delivered: 2 });
  });
});

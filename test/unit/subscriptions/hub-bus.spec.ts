import { Logger } from '@nestjs/common';
import { beforeEach, describe, expect, it } from '@jest/globals';

import type { Change, ChangeFilter } from '../../../lib/model/change.js';
import { SubscriptionHub } from '../../../lib/subscriptions/subscription.hub.js';
import { CapturedLog } from '../../support/captured-log.js';
import { ManualBus } from './manual-bus.js';
import { quickListener, RecordingListener, updated, wants } from './recording-listener.js';

const OPTIONS = { server: 'default', maxPendingChanges: 2, overflow: 'drop-oldest' } as const;
const TOOLS: Change = { kind: 'tools-changed' };
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

describe('the hub and its bus', () => {
  beforeEach(() => {
    log = new CapturedLog();
    Logger.overrideLogger(log);
    bus = new ManualBus();
    hub = new SubscriptionHub(OPTIONS, bus);
  });

  describe('the bus of a hub', () => {
    it('is subscribed to once, when the first listener opens, and kept', () => {
      expect(bus.listeners).toHaveLength(0);
      hub.open(wants({ tools: true }), quickListener()).close();
      opened({ tools: true });
      expect([bus.listeners.length, bus.unsubscribed]).toEqual([1, 0]);
    });

    it('ends every listener when it fails, and is subscribed to anew by the next', () => {
      const listeners = [opened({ tools: true }), opened({ uris: ['demo://a'] }, new RecordingListener())];
      publish(updated('demo://a'), updated('demo://a'));
      bus.fail(new Error('connection lost'));
      bus.fail(new Error('connection lost'));
      expect(listeners.map(({ ends }) => ends)).toEqual([['failed'], ['failed']]);
      expect(hub.stats()).toMatchObject({ listeners: 0, uris: 0 });
      expect(log.texts('error')).toEqual(['The change bus failed, so all subscriptions ended: connection lost']);
      expect([bus.listeners.length, bus.unsubscribed]).toEqual([1, 1]);

      const next = opened({ tools: true });
      bus.fail(new Error('again, by both'));
      expect([bus.listeners.length, next.ends]).toEqual([2, ['failed']]);
    });

    it('is delivered once to a listener that subscribed again, even if the failed subscription continues', () => {
      opened({ tools: true });
      bus.fail(new Error('connection lost'));
      const next = opened({ tools: true });
      publish(TOOLS);
      expect(next.heard).toEqual(['tools-changed']);
    });

    it('keeps a listener that opens while the others are notified of the failure', () => {
      const next = quickListener();
      const first = new RecordingListener();
      first.end = () => void opened({ tools: true }, next);
      opened({ tools: true }, first);
      const [failing] = bus.listeners;
      failing?.failed(new Error('connection lost'));
      publish(TOOLS);
      expect([next.heard, next.ends, hub.stats().listeners]).toEqual([['tools-changed'], [], 1]);
    });

    it('makes open throw the error of its subscribe, and is subscribed to again', () => {
      const subscribe = bus.subscribe.bind(bus);
      bus.subscribe = () => {
        throw new Error('no such host');
      };
      expect(() => hub.open(wants({ tools: true }), quickListener())).toThrow('no such host');
      expect(hub.stats()).toEqual(NOTHING);
      bus.subscribe = subscribe;
      const listener = opened({ tools: true });
      publish(TOOLS);
      expect(listener.heard).toEqual(['tools-changed']);
    });

    it('lets open throw when it fails before it is subscribed to', () => {
      bus.subscribe = (listener) => {
        listener.changed({ server: 'default', change: TOOLS });
        listener.failed(new Error('no such host'));
        return () => {
          bus.unsubscribed += 1;
        };
      };
      const listener = new RecordingListener();
      expect(() => hub.open(wants({ tools: true }), listener)).toThrow(
        expect.objectContaining({
          message: 'The change bus failed while it was being subscribed to.',
          cause: new Error('no such host'),
        }),
      );
      expect([bus.unsubscribed, listener.heard, listener.ends, hub.stats()]).toEqual([1, [], [], NOTHING]);
    });

    it('may deliver anything: invalid messages are dropped, with one warning', () => {
      const listener = opened({ tools: true, uris: ['demo://a'] });
      for (const message of [undefined, 'text', {}, { server: 'default' }, { server: 'default', change: {} }]) {
        bus.publish(message);
      }
      publish(updated('demo://\ud800'), TOOLS);
      expect(listener.heard).toEqual(['tools-changed']);
      expect(log.lines.map(({ level, context }) => [level, context])).toEqual([['warn', 'McpSubscriptions']]);
    });

    it('may throw when it is left', () => {
      bus.subscribe = () => () => {
        throw new Error('already gone');
      };
      const listener = opened({ tools: true });
      hub.complete();
      expect(listener.ends).toEqual(['complete']);
      expect(log.texts('error')).toEqual(['The change bus could not be unsubscribed from: already gone']);
    });

    it('may reject when it is left', async () => {
      bus.subscribe = () => () => Promise.reject(new Error('already gone')) as unknown as void;
      opened({ tools: true });
      hub.complete();
      await new Promise((resolve) => setImmediate(resolve));
      expect(log.texts('error')).toEqual(['The change bus could not be unsubscribed from: already gone']);
    });

    it.each([Promise.resolve(() => undefined), Promise.reject(new Error('no such host'))])(
      'has to be there at once: a promise is refused (%#)',
      async (promise) => {
        bus.subscribe = () => promise as never;
        const listener = new RecordingListener();
        expect(() => hub.open(wants({ tools: true }), listener)).toThrow('must return a function at once');
        await new Promise((resolve) => setImmediate(resolve));
        expect(hub.stats()).toEqual(NOTHING);
      },
    );

    it('may deliver unreadable messages, and fail with unreadable errors', () => {
      const hostile = new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      );
      const listener = opened({ tools: true });
      bus.publish(hostile);
      bus.fail(hostile);
      expect(listener.ends).toEqual(['failed']);
      expect(log.texts('error')).toEqual(['The change bus failed, so all subscriptions ended: object']);
    });
  });
});

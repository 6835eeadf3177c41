import type { ChangeListener, ChangeSubscription } from '../../../lib/dispatch/operations/subscription.port.js';
import type { Change, ChangeFilter } from '../../../lib/model/change.js';
import { InMemoryChangeBus } from '../../../lib/subscriptions/change-bus.js';
import { SubscriptionHub } from '../../../lib/subscriptions/subscription.hub.js';
import type { SubscriptionHubOptions } from '../../../lib/subscriptions/subscriptions-options.interface.js';
import { canonicalUri } from '../../../lib/uri/canonical-uri.js';
import { nameOf } from './recording-listener.js';

export const SPELLINGS = ['demo://é', 'demo://%C3%A9', 'demo://%c3%a9', 'demo://a', 'demo://b'];
export const LISTS = {
  'tools-changed': 'tools',
  'prompts-changed': 'prompts',
  'resources-changed': 'resources',
} as const;

/** What the hub should do for one listener, in as few words as possible. */
export class ModelListener implements ChangeListener {
  subscription: ChangeSubscription | undefined;
  /** What should have been heard, and what was. */
  readonly expected: string[] = [];
  readonly heard: string[] = [];
  readonly ends: string[] = [];
  readonly writes: (() => void)[] = [];
  outstanding = 0;
  open = true;
  ending = false;
  waiting: { readonly key: string; readonly name: string }[] = [];

  constructor(readonly filter: ChangeFilter) {}

  deliver(change: Change, written: () => void): void {
    this.outstanding += 1;
    this.heard.push(this.outstanding === 1 ? nameOf(change) : 'before the latest was written');
    this.writes.push(written);
  }

  end(reason: string): void {
    this.ends.push(reason);
  }

  /** How the listener spells the change, if it wants it. */
  wanted(change: Change): string | undefined {
    if (change.kind !== 'resource-updated') return this.filter[LISTS[change.kind]] ? change.kind : undefined;
    return this.filter.uris.find((uri) => canonicalUri(uri) === canonicalUri(change.uri));
  }
}

/** A hub, and what it should do. */
export class Model {
  readonly bus = new InMemoryChangeBus();
  readonly hub: SubscriptionHub;
  readonly listeners: ModelListener[] = [];
  readonly counts = { delivered: 0, coalesced: 0, dropped: 0 };
  completed = false;

  constructor(private readonly options: SubscriptionHubOptions) {
    this.hub = new SubscriptionHub(options, this.bus, (run) => run());
  }

  pick(number: number): ModelListener | undefined {
    return this.listeners[number % Math.max(1, this.listeners.length)];
  }

  open(filter: ChangeFilter): void {
    if (this.completed) return;
    const listener = new ModelListener(filter);
    this.listeners.push(listener);
    listener.subscription = this.hub.open(filter, listener);
  }

  close(number: number): void {
    const listener = this.pick(number);
    if (listener === undefined) return;
    listener.open = false;
    listener.waiting = [];
    listener.subscription?.close();
  }

  publish(server: string, change: Change): void {
    if (server === this.options.server && !this.completed) {
      for (const listener of this.listeners) this.expectChange(listener, change);
    }
    this.bus.publish({ server, change });
  }

  /** Says that a change was written: the latest, or one that was written before, which must change nothing. */
  write(number: number, again: boolean): void {
    const listener = this.pick(number);
    if (listener === undefined) return;
    if (again) {
      listener.writes.slice(0, -1).forEach((written) => written());
      return;
    }
    const written = listener.writes.at(-1);
    if (written === undefined) return;
    const latest = listener.outstanding > 0;
    listener.outstanding = 0;
    if (latest && listener.open) this.expectNext(listener);
    written();
  }

  complete(): void {
    if (!this.completed) {
      for (const listener of this.listeners) {
        listener.ending = true;
        if (listener.outstanding === 0) listener.open = false;
      }
    }
    this.completed = true;
    this.hub.complete();
  }

  /** What was heard and is held, as it should be. */
  expected(): unknown {
    const open = this.listeners.filter((listener) => listener.open);
    const uris = new Set(open.flatMap(({ filter }) => filter.uris.map((uri) => canonicalUri(uri))));
    const stats = { listeners: open.length, uris: uris.size, ...this.counts };
    return { stats, heard: this.listeners.map(({ expected }) => expected) };
  }

  /** What was heard and is held. */
  actual(): unknown {
    return { stats: this.hub.stats(), heard: this.listeners.map(({ heard }) => heard) };
  }

  private expectChange(listener: ModelListener, change: Change): void {
    const name = listener.open && !listener.ending ? listener.wanted(change) : undefined;
    const key = name === undefined ? undefined : canonicalUri(name);
    if (name === undefined || key === undefined) return;
    if (listener.outstanding === 0) {
      this.expectDelivery(listener, name);
      return;
    }
    if (listener.waiting.some((other) => other.key === key)) {
      this.counts.coalesced += 1;
      return;
    }
    const { maxPendingChanges, overflow } = this.options;
    const all = [...listener.waiting, { key, name }];
    this.counts.dropped += Math.max(0, all.length - maxPendingChanges);
    listener.waiting = overflow === 'drop-oldest' ? all.slice(-maxPendingChanges) : all.slice(0, maxPendingChanges);
  }

  private expectNext(listener: ModelListener): void {
    const next = listener.waiting.shift();
    if (next !== undefined) this.expectDelivery(listener, next.name);
    else if (listener.ending) listener.open = false;
  }

  private expectDelivery(listener: ModelListener, name: string): void {
    listener.expected.push(name);
    this.counts.delivered += 1;
  }
}

import type { Logger } from '@nestjs/common';

import type { ChangeListener, ChangeSubscription } from '../dispatch/operations/subscription.port.js';
import { logFailure, logWarning } from '../errors/failure.log.js';
import type { Change, ChangeFilter } from '../model/change.js';
import type { SubscriptionHubOptions } from './subscriptions-options.interface.js';

/** The dependencies that all streams of a hub share. */
export interface StreamHost {
  readonly options: Pick<SubscriptionHubOptions, 'maxPendingChanges' | 'overflow'>;
  readonly counts: { delivered: number; coalesced: number; dropped: number };
  readonly logger: Logger;
  /** Runs a function after pending socket events were handled. */
  readonly later: (run: () => void) => void;
  remove(stream: SubscriptionStream): void;
  /** Called before the filter of the stream is narrowed in the same way. */
  narrow(stream: SubscriptionStream, uris: readonly string[]): void;
}

/** One listener and its queued changes. The queue is created on demand, as there may be thousands of idle listeners. */
export class SubscriptionStream implements ChangeSubscription {
  private state: 'open' | 'ending' | 'closed' = 'open';
  private waiting: Map<string, Change> | undefined;
  private writing = false;
  private pumping = false;
  private trimming = false;
  /** Number of the latest delivery. */
  private delivery = 0;
  private lost = 0;

  constructor(
    private readonly host: StreamHost,
    private readonly listener: ChangeListener,
    private wanted: ChangeFilter,
    /** How many changes the hub had received before; this listener does not get these. */
    readonly since: number,
  ) {}

  get filter(): ChangeFilter {
    return this.wanted;
  }

  /** How many changes this listener lost because its queue was full. */
  get dropped(): number {
    return this.lost;
  }

  narrow(uris: readonly string[]): void {
    if (this.state === 'closed') return;
    this.host.narrow(this, uris);
    this.wanted = { ...this.wanted, uris };
    const kept = new Set(uris);
    for (const [key, change] of this.waiting ?? []) {
      if (change.kind === 'resource-updated' && !kept.has(change.uri)) this.waiting?.delete(key);
    }
  }

  /** Takes one change; changes with the same key are equal. */
  receive(key: string, change: Change): void {
    if (this.state !== 'open') return;
    if (this.writing || this.pumping) this.enqueue(key, change);
    else this.pump(change);
  }

  /** Ends when all queued changes are written; at once if there are none. */
  complete(): void {
    if (this.state !== 'open') return;
    this.state = 'ending';
    if (!this.writing && !this.pumping) this.end('complete');
  }

  /** Ends now. */
  end(reason: 'complete' | 'failed'): void {
    if (this.state === 'closed') return;
    this.close();
    try {
      this.listener.end(reason);
    } catch (error) {
      logFailure(this.host.logger, 'A listener threw at the end of its subscription', error);
    }
  }

  close(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.waiting = undefined;
    this.host.remove(this);
  }

  private enqueue(key: string, change: Change): void {
    const waiting = (this.waiting ??= new Map());
    if (waiting.has(key)) {
      this.host.counts.coalesced += 1;
      return;
    }
    waiting.set(key, change);
    if (waiting.size <= this.host.options.maxPendingChanges || this.trimming) return;
    // No client can read during a burst. Until its end, the filter bounds the queue: equal changes are queued once.
    this.trimming = true;
    this.host.later(() => this.trim());
  }

  private trim(): void {
    this.trimming = false;
    const { maxPendingChanges, overflow } = this.host.options;
    const keys = [...(this.waiting?.keys() ?? [])];
    const surplus = keys.length - maxPendingChanges;
    if (surplus <= 0) return;
    for (const key of overflow === 'drop-oldest' ? keys.slice(0, surplus) : keys.slice(maxPendingChanges)) {
      this.waiting?.delete(key);
    }
    if (this.lost === 0) {
      const victims = overflow === 'drop-oldest' ? 'oldest' : 'newest';
      logWarning(
        this.host.logger,
        'A client reads too slowly',
        `A client reads too slowly: ${maxPendingChanges} changes wait for it, so the ${victims} are dropped.`,
      );
    }
    this.lost += surplus;
    this.host.counts.dropped += surplus;
  }

  /** A loop, because a listener may write at once: the depth of a recursion would be the length of the queue. */
  private pump(first: Change | undefined): void {
    this.pumping = true;
    let change = first;
    while (change !== undefined) {
      this.deliver(change);
      change = this.writing ? undefined : this.next();
    }
    this.pumping = false;
    if (this.state === 'ending' && !this.writing) this.end('complete');
  }

  private next(): Change | undefined {
    const oldest = this.waiting?.entries().next().value;
    if (oldest === undefined) return undefined;
    const [key, change] = oldest;
    this.waiting?.delete(key);
    if (this.waiting?.size === 0) this.waiting = undefined;
    return change;
  }

  private deliver(change: Change): void {
    this.writing = true;
    this.delivery += 1;
    this.host.counts.delivered += 1;
    const { delivery } = this;
    try {
      this.listener.deliver(change, () => this.written(delivery));
    } catch (error) {
      // The owner would wait for ever for changes that no longer come, so it has to be notified of the end.
      logFailure(this.host.logger, 'A subscription ended because its listener threw', error);
      this.end('failed');
    }
  }

  private written(delivery: number): void {
    if (delivery !== this.delivery) return;
    this.writing = false;
    if (!this.pumping) this.pump(this.next());
  }
}

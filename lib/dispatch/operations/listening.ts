import type { Change, ChangeFilter } from '../../model/change.js';
import type { Outcome } from '../../model/outcome.js';
import { faulty } from '../operation-handler.js';
import type { ChangeListener, ChangeSubscription, SubscriptionPort } from './subscription.port.js';
import type { Cancellable, CallLink } from '../calls/call-link.js';
import type { Recheck, Rechecked } from './rechecks.js';
import type { Deliberation } from '../access/deliberation.js';

const noop = (): void => undefined;

/** One open subscription of a client. Thousands may stay open, so it does not reference its request. */
export class Listening implements ChangeListener, Cancellable {
  private subscription: ChangeSubscription | undefined;
  private settle: ((outcome: Outcome) => void) | undefined;
  /** Rechecks the access of the caller; references the request. */
  private recheck: Recheck | undefined;

  constructor(private readonly link: CallLink) {}

  /** Resolves with the outcome when the subscription ends. */
  open(port: SubscriptionPort, filter: ChangeFilter): Outcome | Promise<Outcome> {
    if (isEmpty(filter)) {
      this.link.send({ kind: 'acknowledged', filter }, noop);
      return { kind: 'unsubscribed' };
    }
    // Opened before it is acknowledged, so that no change is missed.
    this.subscription = port.open(filter, this);
    return new Promise((resolve) => {
      this.settle = resolve;
      this.link.send({ kind: 'acknowledged', filter }, noop);
    });
  }

  /** Starts the rechecks if the subscription is open. */
  reviewedBy(begin: () => Recheck): void {
    if (this.subscription !== undefined) this.recheck = begin();
  }

  /** Limits the subscription to fewer changes; ends it when none are left. */
  narrow(filter: ChangeFilter): void {
    if (isEmpty(filter)) {
      this.conclude({ kind: 'unsubscribed' });
      return;
    }
    this.subscription?.narrow(filter.uris);
    if (filter.uris.length === 0) this.endReview();
  }

  deliver(change: Change, written: () => void): void {
    this.link.send(change, written);
  }

  end(reason: 'complete' | 'failed'): void {
    this.conclude(reason === 'complete' ? { kind: 'unsubscribed' } : faulty({ kind: 'internal' }));
  }

  finish(): void {
    this.conclude({ kind: 'cancelled' });
  }

  cancel(): void {
    this.conclude({ kind: 'cancelled' });
  }

  /** Ends the subscription; may be called repeatedly. */
  conclude(outcome: Outcome): void {
    this.endReview();
    this.subscription?.close();
    this.subscription = undefined;
    this.settle?.(outcome);
    this.settle = undefined;
  }

  private endReview(): void {
    this.recheck?.stop();
    this.recheck = undefined;
  }
}

function isEmpty({ tools, prompts, resources, uris }: ChangeFilter): boolean {
  return !tools && !prompts && !resources && uris.length === 0;
}

/** Determines which changes a caller may receive now. It references the request, so only rechecked subscriptions keep one. */
export interface Review {
  judge(filter: ChangeFilter, deliberation: Deliberation): Promise<ReviewVerdict>;
  /** The outcome of a subscription whose recheck failed. */
  fail(error: unknown): Outcome;
}

export type ReviewVerdict = { readonly filter: ChangeFilter } | { readonly outcome: Outcome };

/** Removes changes from an open subscription that its caller may not receive any more. */
export class SubscriptionReview implements Rechecked {
  constructor(
    private readonly listening: Listening,
    private filter: ChangeFilter,
    private readonly review: Review,
  ) {}

  async judge(deliberation: Deliberation): Promise<void> {
    const verdict = await this.review.judge(this.filter, deliberation);
    if (deliberation.isOver) return;
    if ('outcome' in verdict) {
      this.listening.conclude(verdict.outcome);
      return;
    }
    if (verdict.filter.uris.length === this.filter.uris.length) return;
    this.filter = verdict.filter;
    this.listening.narrow(this.filter);
  }

  fail(error: unknown): void {
    this.listening.conclude(this.review.fail(error));
  }
}

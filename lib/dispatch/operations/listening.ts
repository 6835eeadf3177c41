import type { Change, ChangeFilter } from '../../model/change.js';
import type { Outcome } from '../../model/outcome.js';
import { faulty } from '../operation-handler.js';
import type { ChangeListener, ChangeSubscription, SubscriptionPort } from './subscription.port.js';
import type { Cancellable, CallLink } from '../calls/call-link.js';
import type { Recheck, Rechecked } from './rechecks.js';
import type { Deliberation } from '../access/deliberation.js';

const noop = (): void => undefined;

/** One client that listens: what it is told, and how that ends. Thousands stay open, so it holds nothing of its request. */
export class Listening implements ChangeListener, Cancellable {
  private subscription: ChangeSubscription | undefined;
  private settle: ((outcome: Outcome) => void) | undefined;
  /** Where it is judged again; that holds the request. */
  private recheck: Recheck | undefined;

  constructor(private readonly link: CallLink) {}

  /** The outcome is known when the subscription ends. */
  open(port: SubscriptionPort, filter: ChangeFilter): Outcome | Promise<Outcome> {
    if (isEmpty(filter)) {
      this.link.send({ kind: 'acknowledged', filter }, noop);
      return { kind: 'unsubscribed' };
    }
    // Opened before it is confirmed, so that no change falls in between.
    this.subscription = port.open(filter, this);
    return new Promise((resolve) => {
      this.settle = resolve;
      this.link.send({ kind: 'acknowledged', filter }, noop);
    });
  }

  /** Has it judged again as long as it is open. */
  reviewedBy(begin: () => Recheck): void {
    if (this.subscription !== undefined) this.recheck = begin();
  }

  /** From now on it hears of less; it ends when nothing is left. */
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

  /** Harmless to repeat. */
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

/** Says what a caller may hear of at the moment; it knows the request, so it is held by what is reviewed alone. */
export interface Review {
  judge(filter: ChangeFilter, deliberation: Deliberation): Promise<ReviewVerdict>;
  /** How a subscription ends for which nobody could tell. */
  fail(error: unknown): Outcome;
}

export type ReviewVerdict = { readonly filter: ChangeFilter } | { readonly outcome: Outcome };

/** Leaves out of an open subscription what its caller may not hear of any more. */
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

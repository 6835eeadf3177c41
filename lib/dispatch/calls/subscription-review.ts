import type { ChangeFilter } from '../../model/change.js';
import type { Outcome } from '../../model/outcome.js';
import type { Deliberation } from './deliberation.js';
import type { Listening } from './listening.js';
import type { Rechecked } from './rechecks.js';

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

import { describe, expect, it } from '@jest/globals';

import { Deliberation } from '../../../../lib/dispatch/access/deliberation.js';
import { Listening, SubscriptionReview, type ReviewVerdict } from '../../../../lib/dispatch/operations/listening.js';
import type { ChangeFilter } from '../../../../lib/model/change.js';
import type { Outcome } from '../../../../lib/model/outcome.js';

const LINK = { started: () => undefined, opened: () => undefined, send: () => undefined };
const FAULT: Outcome = { kind: 'fault', fault: { kind: 'refused', message: 'no' } };
const filterOf = (...uris: string[]): ChangeFilter => ({ tools: false, prompts: false, resources: false, uris });

/** Opens a subscription, and records its changes and its end. */
function reviewed(filter: ChangeFilter, verdicts: readonly ReviewVerdict[]) {
  const told: unknown[] = [];
  const judged: unknown[] = [];
  const listening = new Listening(LINK);
  const port = {
    open: () => ({ narrow: (uris: readonly string[]) => told.push(uris), close: () => told.push('closed') }),
  };
  const ending = listening.open(port, filter) as Promise<Outcome>;
  void ending.then((outcome) => told.push(outcome.kind));
  const left = [...verdicts];
  const review = new SubscriptionReview(listening, filter, {
    judge: (current) => {
      judged.push(current.uris);
      return Promise.resolve(left.shift() as ReviewVerdict);
    },
    fail: () => FAULT,
  });
  return { told, judged, review };
}

describe('a review of a subscription', () => {
  it('keeps only the allowed URIs, and does not ask about the others again', async () => {
    const [first, second] = [filterOf('a:1'), filterOf('a:1')];
    const { told, judged, review } = reviewed(filterOf('a:1', 'a:2'), [{ filter: first }, { filter: second }]);
    await review.judge(new Deliberation(LINK));
    await review.judge(new Deliberation(LINK));
    expect(told).toEqual([['a:1']]);
    expect(judged).toEqual([['a:1', 'a:2'], ['a:1']]);
  });

  it.each<[string, ReviewVerdict, string]>([
    ['the subscription normally when its filter is empty', { filter: filterOf() }, 'unsubscribed'],
    ['the subscription with the outcome of its policy', { outcome: FAULT }, 'fault'],
  ])('ends %s', async (_how, verdict, kind) => {
    const { told, review } = reviewed(filterOf('a:1'), [verdict]);
    await review.judge(new Deliberation(LINK));
    await Promise.resolve();
    expect(told).toEqual(['closed', kind]);
  });

  it('ends the subscription when the decision fails', async () => {
    const { told, review } = reviewed(filterOf('a:1'), []);
    review.fail(new Error('late'));
    await Promise.resolve();
    expect(told).toEqual(['closed', 'fault']);
  });

  it('changes nothing after the deliberation has ended', async () => {
    const { told, review } = reviewed(filterOf('a:1'), [{ filter: filterOf() }]);
    const deliberation = new Deliberation(LINK);
    const judging = review.judge(deliberation);
    deliberation.finish();
    await judging;
    expect(told).toEqual([]);
  });
});

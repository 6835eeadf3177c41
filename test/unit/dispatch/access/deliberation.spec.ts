import { describe, expect, it } from '@jest/globals';

import { Deliberation } from '../../../../lib/dispatch/access/deliberation.js';
import type { Cancellable, CallLink } from '../../../../lib/dispatch/calls/call-link.js';
import type { Outcome } from '../../../../lib/model/outcome.js';
import { Gate } from '../../../support/gate.js';

const DONE: Outcome = { kind: 'complete', result: {} };
const FAILED: Outcome = { kind: 'fault', fault: { kind: 'internal' } };
const CANCELLED: Outcome = { kind: 'cancelled' };

/** Records the started calls and the steps after the decision. */
class Waiting {
  readonly started: Cancellable[] = [];
  readonly steps: string[] = [];
  readonly gate = new Gate<string>();
  readonly link: CallLink = {
    started: (run) => this.started.push(run),
    opened: () => undefined,
    send: () => undefined,
  };
  readonly deliberation = new Deliberation(this.link);

  wait(): Promise<Outcome> {
    return this.deliberation.wait(
      this.gate.opened,
      (decided) => {
        this.steps.push(decided);
        return DONE;
      },
      (error) => {
        this.steps.push(String(error));
        return FAILED;
      },
    );
  }
}

describe('a deliberation', () => {
  it('is registered as cancellable at once, and continues with the decision', async () => {
    const waiting = new Waiting();
    const outcome = waiting.wait();
    expect(waiting.started).toEqual([waiting.deliberation]);
    waiting.gate.open('decided');
    expect([await outcome, waiting.steps, waiting.deliberation.isOver]).toEqual([DONE, ['decided'], false]);
  });

  it('fails with the error of the decision', async () => {
    const waiting = new Waiting();
    const outcome = waiting.wait();
    waiting.gate.open(Promise.reject(new Error('broken')) as never);
    expect([await outcome, waiting.steps]).toEqual([FAILED, ['Error: broken']]);
  });

  it('rejects with the error that the next step throws', async () => {
    const deliberation = new Deliberation(new Waiting().link);
    const throwing = (): never => {
      throw new Error('a fault of what runs');
    };
    await expect(deliberation.wait(Promise.resolve(), throwing, () => FAILED)).rejects.toThrow('a fault of what runs');
  });

  it.each([
    ['is cancelled', (waiting: Waiting) => waiting.deliberation.cancel('client-gone')],
    ['is already answered', (waiting: Waiting) => waiting.deliberation.finish()],
  ])('ends at once when its request %s', async (_name, end) => {
    const waiting = new Waiting();
    const outcome = waiting.wait();
    end(waiting);
    // The decision never comes.
    expect([await outcome, waiting.deliberation.isOver]).toEqual([CANCELLED, true]);
  });

  it.each([
    ['is made', (gate: Gate<string>) => gate.open('too late')],
    ['fails', (gate: Gate<string>) => gate.open(Promise.reject(new Error('too late')) as never)],
  ])('does not continue when the decision %s at the time of the cancellation or later', async (_name, settle) => {
    const together = new Waiting();
    const outcome = together.wait();
    settle(together.gate);
    together.deliberation.cancel('deadline');
    expect([await outcome, together.steps]).toEqual([CANCELLED, []]);
    const after = new Waiting();
    const ended = after.wait();
    after.deliberation.cancel('deadline');
    settle(after.gate);
    expect([await ended, after.steps]).toEqual([CANCELLED, []]);
  });

  it('cancels a consulted process only once, and passes the reason', () => {
    const { deliberation } = new Waiting();
    const told: string[] = [];
    deliberation.consult({ finish: () => told.push('finish'), cancel: (reason) => told.push(reason) });
    deliberation.cancel('client-gone');
    deliberation.cancel('shutdown');
    deliberation.finish();
    expect(told).toEqual(['client-gone']);
  });
});

import type { CancelReason } from '../../errors/call-cancelled.error.js';
import type { Outcome } from '../../model/outcome.js';
import type { Cancellable, CallLink } from '../calls/call-link.js';
import { unlessLeft } from '../calls/pending-runs.js';

const CANCELLED: Outcome = Object.freeze({ kind: 'cancelled' });

/**
 * The phase in which policy and guards decide whether a handler may run. When the request ends first, it is over at once:
 * no further guard runs, and the signals of running ones are aborted. Like the endpoint's guards, it does not count as a running call.
 */
export class Deliberation implements Cancellable {
  private over = false;
  private leave: (() => void) | undefined;
  private consulted: Cancellable[] | undefined;

  constructor(private readonly link: CallLink) {}

  get isOver(): boolean {
    return this.over;
  }

  /** Registers a run that is cancelled together with the deliberation. */
  consult(asked: Cancellable): void {
    (this.consulted ??= []).push(asked);
  }

  /** Continues with the decision, or with its error, unless the request has ended. */
  async wait<T>(
    pending: Promise<T>,
    next: (decided: T) => Outcome | Promise<Outcome>,
    fail: (error: unknown) => Outcome,
  ): Promise<Outcome> {
    this.link.started(this);
    let decided: T | undefined;
    try {
      decided = await unlessLeft(pending, (leave) => {
        this.leave = leave;
      });
    } catch (error) {
      return this.over ? CANCELLED : fail(error);
    }
    return this.over ? CANCELLED : next(decided as T);
  }

  finish(): void {
    this.over = true;
    this.leave?.();
  }

  cancel(reason: CancelReason): void {
    if (this.over) return;
    this.finish();
    for (const asked of this.consulted?.splice(0) ?? []) asked.cancel(reason);
  }
}

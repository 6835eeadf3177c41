import type { CancelReason } from '../../errors/call-cancelled.error.js';
import type { Outcome } from '../../model/outcome.js';
import type { Cancellable, CallLink } from '../calls/call-link.js';
import { unlessLeft } from '../calls/pending-runs.js';

const CANCELLED: Outcome = Object.freeze({ kind: 'cancelled' });

/**
 * The time in which it is decided whether anything may run. When the request ends before, it is over at once: nobody else
 * is asked, and who still decides is told by the signal of its call. Like the guards of the endpoint, deciding takes no place.
 */
export class Deliberation implements Cancellable {
  private over = false;
  private leave: (() => void) | undefined;
  private consulted: Cancellable[] | undefined;

  constructor(private readonly link: CallLink) {}

  get isOver(): boolean {
    return this.over;
  }

  /** Has something hear of the end as well. */
  consult(asked: Cancellable): void {
    (this.consulted ??= []).push(asked);
  }

  /** Goes on with what was decided, or with why it was not, as long as anybody waits for it. */
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

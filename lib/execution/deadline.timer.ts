import type { Clock } from './clock.js';

/** A longer delay would make the timers of Node.js fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** One timer for the earliest of many deadlines. It may fire early, and for one that is gone. */
export class DeadlineTimer {
  private firesAt = Infinity;
  private disarm: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onDue: (now: number) => void,
  ) {}

  /** Sees to it that the timer fires by then. */
  include(at: number): void {
    if (at >= this.firesAt) return;
    this.disarm?.();
    const delay = Math.min(Math.max(Math.ceil(at - this.clock.now()), 0), LONGEST_DELAY_MS);
    this.firesAt = at;
    this.disarm = this.clock.after(delay, () => this.fire());
  }

  /** For good. */
  stop(): void {
    this.disarm?.();
    this.disarm = undefined;
    this.firesAt = -Infinity;
  }

  private fire(): void {
    this.firesAt = Infinity;
    this.disarm = undefined;
    this.onDue(this.clock.now());
  }
}

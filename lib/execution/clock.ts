import { performance } from 'node:perf_hooks';

import { LONGEST_TIMER_MS } from '../mcp.constants.js';

/** The clock and timers of the executor; replaced in tests. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Runs once after a delay in milliseconds, without keeping the process alive; returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/** One timer for the earliest of many deadlines. It may fire early, or for a deadline that no longer exists. */
export class DeadlineTimer {
  private firesAt = Infinity;
  private disarm: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onDue: (now: number) => void,
  ) {}

  /** Ensures that the timer fires at this time at the latest. */
  include(at: number): void {
    if (at >= this.firesAt) return;
    this.disarm?.();
    const delay = Math.min(Math.max(Math.ceil(at - this.clock.now()), 0), LONGEST_TIMER_MS);
    this.firesAt = at;
    this.disarm = this.clock.after(delay, () => this.fire());
  }

  /** Stops permanently. */
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

import { performance } from 'node:perf_hooks';

import { LONGEST_TIMER_MS } from '../mcp.constants.js';

/** Where the executor reads the time and waits. */
export interface Clock {
  /** Milliseconds since some moment, never going back. */
  now(): number;
  /** Runs once after a delay in milliseconds, without keeping the process alive; returns what calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

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
    const delay = Math.min(Math.max(Math.ceil(at - this.clock.now()), 0), LONGEST_TIMER_MS);
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

import { performance } from 'node:perf_hooks';

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

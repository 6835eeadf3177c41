/** Upper ends of the buckets, in milliseconds; one more holds the rest. */
const ENDS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;

/**
 * How long requests took.
 *
 * @publicApi
 */
export interface McpDurations {
  readonly count: number;
  /** Milliseconds of all together. */
  readonly sumMs: number;
  /** Milliseconds of the longest. */
  readonly maxMs: number;
  /** Requests that took at most so many milliseconds, as in `{ 5: 2, 10: 3, ... }`; those of one bucket count in all longer ones. */
  readonly buckets: Readonly<Record<number, number>>;
}

/** Counts durations without keeping them. */
export class DurationHistogram {
  private readonly counts: number[] = Array.from({ length: ENDS_MS.length + 1 }, () => 0);
  private count = 0;
  private sumMs = 0;
  private maxMs = 0;

  add(durationMs: number): void {
    const found = ENDS_MS.findIndex((end) => durationMs <= end);
    const bucket = found < 0 ? ENDS_MS.length : found;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.count += 1;
    this.sumMs += durationMs;
    if (durationMs > this.maxMs) this.maxMs = durationMs;
  }

  snapshot(): McpDurations {
    const buckets: Record<number, number> = {};
    let total = 0;
    for (const [bucket, end] of ENDS_MS.entries()) {
      total += this.counts[bucket] ?? 0;
      buckets[end] = total;
    }
    return { count: this.count, sumMs: this.sumMs, maxMs: this.maxMs, buckets };
  }
}

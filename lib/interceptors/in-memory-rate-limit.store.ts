import { systemClock, type Clock } from '../execution/clock.js';
import { requireWhole } from './called-component.js';
import { RateLimitStore } from './rate-limit.store.js';

interface Window {
  readonly endsAt: number;
  calls: number;
}

/** Options of an {@link InMemoryRateLimitStore}. */
export interface InMemoryRateLimitOptions {
  /**
   * Maximum number of keys that are counted at the same time. Further keys are refused until a window ends.
   *
   * @default 10_000
   */
  readonly maxKeys?: number;
}

/**
 * Counts calls within this process.
 *
 * @publicApi
 */
export class InMemoryRateLimitStore extends RateLimitStore {
  private readonly windows = new Map<string, Window>();
  private readonly maxKeys: number;
  /** No window ends before this time. */
  private earliestEnd = Infinity;

  constructor(
    { maxKeys = 10_000 }: InMemoryRateLimitOptions = {},
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {
    super();
    this.maxKeys = requireWhole(maxKeys, 'maxKeys', 1);
  }

  take(key: string, limit: number, windowMs: number): number {
    const now = this.clock.now();
    const window = this.windows.get(key);
    if (window !== undefined && window.endsAt > now) {
      if (window.calls >= limit) return window.endsAt - now;
      window.calls += 1;
      return 0;
    }
    if (window === undefined && !this.makeRoom(now)) return this.earliestEnd - now;
    const endsAt = now + windowMs;
    this.windows.set(key, { endsAt, calls: 1 });
    this.earliestEnd = Math.min(this.earliestEnd, endsAt);
    return 0;
  }

  /** Searches all keys only when a window may have ended, so that a refusal stays cheap. */
  private makeRoom(now: number): boolean {
    if (this.windows.size < this.maxKeys) return true;
    if (this.earliestEnd > now) return false;
    this.earliestEnd = Infinity;
    for (const [key, { endsAt }] of this.windows) {
      if (endsAt <= now) this.windows.delete(key);
      else this.earliestEnd = Math.min(this.earliestEnd, endsAt);
    }
    return this.windows.size < this.maxKeys;
  }
}

import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { StateUseStore } from './state-use.store.js';

const SLOT_MS = 1_000;

/** Options of an {@link InMemoryStateUseStore}. */
export interface InMemoryStateUseOptions {
  /**
   * Maximum number of used tokens that are stored. Above it, further tokens are refused until one expires.
   *
   * @default 100_000
   */
  readonly maxEntries?: number;
}

/** Stores used tokens in the memory of this process. */
export class InMemoryStateUseStore extends StateUseStore {
  private readonly used = new Set<string>();
  /** Ids by the second in which they expire. There is one slot per second of a lifetime, so that checking all slots is cheap. */
  private readonly slots = new Map<number, string[]>();
  private readonly maxEntries: number;
  private latestMs = 0;
  private sweptSlot = 0;

  constructor(
    { maxEntries = 100_000 }: InMemoryStateUseOptions = {},
    private readonly clock: () => number = Date.now,
  ) {
    super();
    if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
      throw new InvalidOptionsError('maxEntries', 'it must be a whole number from 1.');
    }
    this.maxEntries = maxEntries;
  }

  /** Number of stored tokens. */
  get size(): number {
    return this.used.size;
  }

  claim(id: string, expiresAtMs: number): Promise<boolean> {
    return Promise.resolve(this.take(id, expiresAtMs));
  }

  private take(id: string, expiresAtMs: number): boolean {
    // If the clock is set back, a token whose use was already deleted must stay expired.
    this.latestMs = Math.max(this.latestMs, this.clock());
    this.forgetExpired();
    const isLive = expiresAtMs > this.latestMs;
    if (!isLive || this.used.has(id) || this.used.size >= this.maxEntries) return false;
    this.used.add(id);
    const slot = Math.ceil(expiresAtMs / SLOT_MS);
    const ids = this.slots.get(slot);
    if (ids === undefined) this.slots.set(slot, [id]);
    else ids.push(id);
    return true;
  }

  private forgetExpired(): void {
    const now = Math.floor(this.latestMs / SLOT_MS);
    if (now === this.sweptSlot) return;
    this.sweptSlot = now;
    for (const [slot, ids] of this.slots) {
      if (slot > now) continue;
      for (const id of ids) this.used.delete(id);
      this.slots.delete(slot);
    }
  }
}

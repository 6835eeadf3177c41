import { anonymousLimit, wholeNumber } from './executor-limits.js';

/** An occupied slot. */
export interface Slot {
  /** May be repeated. */
  release(): void;
}

/** Slots for long-lived work, such as streams. */
export interface Slots {
  /** Occupied slots of this name, of all users. */
  readonly held: number;
  /**
   * Returns `undefined` when the limit or the owner's share is reached, or the executor is closed. Without an owner, no share
   * applies.
   */
  take(owner?: unknown, isAnonymous?: boolean): Slot | undefined;
}

/** Limits for one user of a name. */
export interface SlotLimits {
  readonly limit: number;
  /** Limit of one owner; without it an owner may occupy all slots. */
  readonly perOwner?: number | undefined;
}

/** Occupied slots of one name. */
class Held {
  total = 0;
  anonymous = 0;
  readonly byOwner = new Map<unknown, number>();
}

/** Counts occupied slots by name; each user of a name has its own limits. */
export class SlotCounts {
  private readonly counts = new Map<string, Held>();
  private closed = false;

  constructor(private readonly owners: { readonly hasIdentified: boolean }) {}

  create(name: string, { limit, perOwner }: SlotLimits): Slots {
    const most = wholeNumber(limit, `slots.${name}`, 1);
    const share = perOwner === undefined ? most : wholeNumber(perOwner, `slots.${name}.perOwner`, 1);
    const heldOf = (): number => this.counts.get(name)?.total ?? 0;
    const isFull = (owner: unknown, isAnonymous: boolean): boolean => {
      const held = this.counts.get(name);
      if (this.closed || held === undefined) return this.closed;
      return (
        held.total >= most ||
        (owner !== undefined && (held.byOwner.get(owner) ?? 0) >= share) ||
        (isAnonymous && this.owners.hasIdentified && held.anonymous >= anonymousLimit(most))
      );
    };
    return {
      get held() {
        return heldOf();
      },
      take: (owner, isAnonymous = false) =>
        isFull(owner, isAnonymous) ? undefined : this.take(name, owner, isAnonymous),
    };
  }

  close(): void {
    this.closed = true;
  }

  snapshot(): Record<string, number> {
    return Object.fromEntries([...this.counts].map(([name, { total }]) => [name, total]));
  }

  private take(name: string, owner: unknown, isAnonymous: boolean): Slot {
    this.change(name, owner, isAnonymous, 1);
    let released = false;
    return {
      release: () => {
        if (released) return;
        released = true;
        this.change(name, owner, isAnonymous, -1);
      },
    };
  }

  private change(name: string, owner: unknown, isAnonymous: boolean, by: number): void {
    const held = this.counts.get(name) ?? new Held();
    held.total += by;
    if (isAnonymous) held.anonymous += by;
    if (owner !== undefined) {
      const own = (held.byOwner.get(owner) ?? 0) + by;
      if (own === 0) held.byOwner.delete(owner);
      else held.byOwner.set(owner, own);
    }
    if (held.total === 0) this.counts.delete(name);
    else this.counts.set(name, held);
  }
}

import { wholeNumber } from './executor-limits.js';

/** A place for something that stays open. */
export interface Slot {
  /** Harmless to repeat. */
  release(): void;
}

/** Places for things that stay open, such as streams. */
export interface Slots {
  /** How many of this name are held, by all who ask for it. */
  readonly held: number;
  /** Gives `undefined` when the limit is reached, or the executor is closed. */
  take(): Slot | undefined;
}

/** Counts held slots by name; each user of a name has a limit of its own. */
export class SlotCounts {
  private readonly counts = new Map<string, number>();
  private closed = false;

  create(name: string, limit: number): Slots {
    const most = wholeNumber(limit, `slots.${name}`, 1);
    const held = (): number => this.heldOf(name);
    return {
      get held() {
        return held();
      },
      take: () => (this.closed || held() >= most ? undefined : this.take(name)),
    };
  }

  close(): void {
    this.closed = true;
  }

  snapshot(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  private heldOf(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  private take(name: string): Slot {
    this.change(name, 1);
    let released = false;
    return {
      release: () => {
        if (released) return;
        released = true;
        this.change(name, -1);
      },
    };
  }

  private change(name: string, by: number): void {
    const held = this.heldOf(name) + by;
    if (held === 0) this.counts.delete(name);
    else this.counts.set(name, held);
  }
}

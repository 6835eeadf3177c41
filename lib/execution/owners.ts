import type { AcceptedJob } from './accepted-job.js';
import { Owner } from './owner.js';

/** Owners without jobs that are still known, unless more have some: most come back at once. */
const MAX_IDLE = 64;

/** Knows the owners that have something waiting or running. */
export class Owners {
  readonly nobody = new Owner<AcceptedJob>(undefined, true);
  /** Whether any owner that somebody has identified has had a job. From then on nameless owners leave room for such. */
  hasNamed = false;
  private known = new Map<unknown, Owner<AcceptedJob>>();
  private idle = 0;

  get count(): number {
    return this.known.size - this.idle;
  }

  find(key: unknown): Owner<AcceptedJob> | undefined {
    return this.known.get(key);
  }

  /** An owner that has nothing yet is made up, and known from its first job on. */
  get(key: unknown, isNameless: boolean): Owner<AcceptedJob> {
    if (key === undefined) return this.nobody;
    return this.known.get(key) ?? new Owner<AcceptedJob>(key, isNameless);
  }

  enter(owner: Owner<AcceptedJob>): void {
    owner.jobs += 1;
    if (owner.jobs > 1 || owner === this.nobody) return;
    if (owner.isKnown) {
      this.idle -= 1;
      return;
    }
    owner.isKnown = true;
    this.known.set(owner.key, owner);
    if (!owner.isNameless) this.hasNamed = true;
  }

  leave(owner: Owner<AcceptedJob>): void {
    owner.jobs -= 1;
    if (owner.jobs > 0 || owner === this.nobody) return;
    this.idle += 1;
    if (this.idle > MAX_IDLE && this.idle > this.count) this.forgetIdle();
  }

  *all(): Generator<Owner<AcceptedJob>, void> {
    yield this.nobody;
    yield* this.known.values();
  }

  *allWaiting(): Generator<AcceptedJob, void> {
    for (const owner of this.all()) yield* owner.waiting();
  }

  private forgetIdle(): void {
    const busy = new Map<unknown, Owner<AcceptedJob>>();
    for (const [key, owner] of this.known) {
      owner.isKnown = owner.jobs > 0;
      if (owner.isKnown) busy.set(key, owner);
    }
    this.known = busy;
    this.idle = 0;
  }
}

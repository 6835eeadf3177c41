import type { AcceptedJob } from './owners.js';
import { anonymousLimit } from './executor-limits.js';

/** Counts abandoned jobs, and keeps the stuck ones: jobs that keep their place because too many are abandoned. */
export class Abandonment {
  count = 0;
  private anonymous = 0;
  /** Stuck jobs, in the order in which they became due. */
  private readonly stuck = new Set<AcceptedJob>();

  constructor(
    private readonly max: number,
    private readonly owners: { readonly hasIdentified: boolean },
  ) {}

  /** Returns whether the job is abandoned; otherwise it is stuck and keeps its place. */
  add(accepted: AcceptedJob): boolean {
    if (!this.hasRoomFor(accepted)) {
      accepted.stage = 'stuck';
      accepted.dueAt = Infinity;
      this.stuck.add(accepted);
      return false;
    }
    this.stuck.delete(accepted);
    accepted.stage = 'abandoned';
    this.change(accepted, 1);
    return true;
  }

  /** An abandoned job has settled. Returns a stuck job that can be abandoned now. */
  remove(accepted: AcceptedJob): AcceptedJob | undefined {
    this.change(accepted, -1);
    for (const stuck of this.stuck) if (this.hasRoomFor(stuck)) return stuck;
    return undefined;
  }

  /** A stuck job has settled. */
  forget(accepted: AcceptedJob): void {
    this.stuck.delete(accepted);
  }

  private hasRoomFor({ owner, queue }: AcceptedJob): boolean {
    if (this.count >= this.max || !queue.mayAbandon) return false;
    return !owner.isAnonymous || !this.owners.hasIdentified || this.anonymous < anonymousLimit(this.max);
  }

  private change({ owner }: AcceptedJob, by: 1 | -1): void {
    this.count += by;
    if (owner.isAnonymous) this.anonymous += by;
  }
}

import type { AcceptedJob } from '../accepted-job.js';
import { Chain } from './chain.js';
import { OwnerQueue } from './owner-queue.js';

/** Owners without jobs that are still known, unless more have some: most come back at once. */
const MAX_IDLE = 64;

/** Knows the owners that have something waiting or running, and whose turn it is for a place. */
export class Owners {
  /** Jobs that wait, of all owners. */
  waiting = 0;
  private known = new Map<unknown, OwnerQueue<AcceptedJob>>();
  private idle = 0;
  private readonly nobody = new OwnerQueue<AcceptedJob>(undefined, Infinity, Infinity);
  /** Owners that could use a place; who gets one goes to the end. */
  private readonly turns = new Chain<OwnerQueue<AcceptedJob>>();

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  get count(): number {
    return this.known.size - this.idle;
  }

  /** The job whose turn it is. */
  get next(): AcceptedJob | undefined {
    return this.turns.first?.waiting.first;
  }

  find(owner: unknown): OwnerQueue<AcceptedJob> | undefined {
    return this.known.get(owner);
  }

  /** An owner that has nothing yet is made up, and known from its first job on. */
  get(owner: unknown): OwnerQueue<AcceptedJob> {
    if (owner === undefined) return this.nobody;
    return this.known.get(owner) ?? new OwnerQueue(owner, this.maxRunning, this.maxWaiting);
  }

  enter(owner: OwnerQueue<AcceptedJob>): void {
    owner.jobs += 1;
    if (owner.jobs > 1 || owner === this.nobody) return;
    if (owner.isKnown) {
      this.idle -= 1;
      return;
    }
    owner.isKnown = true;
    this.known.set(owner.owner, owner);
  }

  leave(owner: OwnerQueue<AcceptedJob>): void {
    owner.jobs -= 1;
    if (owner.jobs > 0 || owner === this.nobody) return;
    this.idle += 1;
    if (this.idle > MAX_IDLE && this.idle > this.count) this.forgetIdle();
  }

  enqueue(job: AcceptedJob): void {
    job.owner.waiting.append(job);
    this.waiting += 1;
    this.review(job.owner);
  }

  dequeue(job: AcceptedJob): void {
    job.owner.waiting.remove(job);
    this.waiting -= 1;
    this.review(job.owner);
  }

  takePlace(owner: OwnerQueue<AcceptedJob>): void {
    owner.running += 1;
    if (owner.inTurn) this.pass(owner);
    this.review(owner);
  }

  freePlace(owner: OwnerQueue<AcceptedJob>): void {
    owner.running -= 1;
    this.review(owner);
  }

  *allWaiting(): Generator<AcceptedJob, void> {
    yield* this.nobody.waiting;
    for (const owner of this.known.values()) yield* owner.waiting;
  }

  private forgetIdle(): void {
    const busy = new Map<unknown, OwnerQueue<AcceptedJob>>();
    for (const [key, owner] of this.known) {
      owner.isKnown = owner.jobs > 0;
      if (owner.isKnown) busy.set(key, owner);
    }
    this.known = busy;
    this.idle = 0;
  }

  private review(owner: OwnerQueue<AcceptedJob>): void {
    if (owner.ready === owner.inTurn) return;
    if (owner.inTurn) {
      this.pass(owner);
      return;
    }
    owner.inTurn = true;
    this.turns.append(owner);
  }

  private pass(owner: OwnerQueue<AcceptedJob>): void {
    owner.inTurn = false;
    this.turns.remove(owner);
  }
}

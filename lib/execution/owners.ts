import { AsyncResource } from 'node:async_hooks';

import type { Job, JobEnd, JobTicket } from './job.js';

/** The links are members of the item itself, so that insertion and removal allocate nothing. */
interface Links<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** A doubly linked list with removal in constant time; an item is in one list at a time. */
export class Chain<T extends Links<T>> {
  first: T | undefined = undefined;
  length = 0;
  last: T | undefined = undefined;

  append(item: T): void {
    item.previous = this.last;
    if (this.last === undefined) this.first = item;
    else this.last.next = item;
    this.last = item;
    this.length += 1;
  }

  /** The item must be in this list. */
  remove(item: T): void {
    const { previous, next } = item;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    // A removed item must not keep other items alive.
    item.previous = undefined;
    item.next = undefined;
    this.length -= 1;
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (let item = this.first; item !== undefined; item = item.next) yield item;
  }
}

/** One owner, with its queue for each kind of place. */
export class Owner<J extends Links<J>> {
  /** Number of its jobs: waiting, running and abandoned. */
  jobs = 0;
  /** Whether the owner can be found by its key. */
  isKnown = false;
  /** Created with the first job of this kind. */
  work: OwnerQueue<J> | undefined = undefined;
  control: OwnerQueue<J> | undefined = undefined;

  constructor(
    /** `undefined` for no owner, which has no share and no limit. */
    readonly key: unknown,
    /** Whether the owner is anonymous: the key is a connection or an address. */
    readonly isAnonymous: boolean,
  ) {}

  *waiting(): Generator<J, void> {
    if (this.work !== undefined) yield* this.work.waiting;
    if (this.control !== undefined) yield* this.control.waiting;
  }
}

/** Limits of one owner for one kind of place. */
export interface OwnerShare {
  /** Running and abandoned jobs together. */
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxAbandoned: number;
}

/** Waiting, running and abandoned jobs of one owner for one kind of place. */
export class OwnerQueue<J extends Links<J>> implements Links<OwnerQueue<J>> {
  previous: OwnerQueue<J> | undefined = undefined;
  next: OwnerQueue<J> | undefined = undefined;
  readonly waiting = new Chain<J>();
  /** Places that the owner occupies. */
  running = 0;
  /** Jobs that lost their place and still run. The places are free for other owners only. */
  abandoned = 0;
  inTurn = false;

  constructor(
    readonly owner: Owner<J>,
    private readonly share: OwnerShare,
  ) {}

  get hasRoom(): boolean {
    return this.running + this.abandoned < this.share.maxRunning;
  }

  get mayWait(): boolean {
    return this.waiting.length < this.share.maxWaiting;
  }

  get mayAbandon(): boolean {
    return this.abandoned < this.share.maxAbandoned;
  }

  /** Whether all places of the owner are lost to abandoned jobs, so that waiting is useless. */
  get isBlocked(): boolean {
    return this.abandoned >= this.share.maxRunning;
  }

  get ready(): boolean {
    return this.waiting.length > 0 && this.hasRoom;
  }
}

/**
 * An `ending` job was stopped and still holds its place. A `stuck` job holds it until it settles, because too many jobs are
 * abandoned. An `abandoned` job has lost its place and still runs.
 */
export type JobStage = 'waiting' | 'begun' | 'ending' | 'stuck' | 'abandoned' | 'over';

/** The executor, as its jobs call it. */
export interface JobHost {
  finish(accepted: AcceptedJob): void;
  end(accepted: AcceptedJob, end: JobEnd): boolean;
  expire(accepted: AcceptedJob): boolean;
  open(accepted: AcceptedJob): void;
}

/** An accepted job; also its ticket. */
export class AcceptedJob implements JobTicket, Links<AcceptedJob> {
  previous: AcceptedJob | undefined = undefined;
  next: AcceptedJob | undefined = undefined;
  stage: JobStage = 'waiting';
  holdsPlace = false;
  /** The asynchronous context of `submit`, if the job does not start immediately. */
  private context: AsyncResource | undefined = undefined;

  constructor(
    private readonly host: JobHost,
    readonly job: Job,
    readonly queue: OwnerQueue<AcceptedJob>,
    /** When the job is ended, or abandoned if it was stopped. */
    public dueAt: number,
  ) {}

  get owner(): Owner<AcceptedJob> {
    return this.queue.owner;
  }

  /** Called in `submit` for a job that has to wait. */
  keepContext(): void {
    this.context = new AsyncResource('McpJob');
  }

  /** @throws what the job throws. */
  start(): void {
    if (this.context === undefined) this.job.start(this);
    else this.context.runInAsyncScope(() => this.job.start(this));
  }

  /** @throws what the job throws. */
  stop(end: JobEnd, cause?: unknown): void {
    if (this.context === undefined) this.job.stop(end, cause);
    else this.context.runInAsyncScope(() => this.job.stop(end, cause));
  }

  finish(): void {
    this.host.finish(this);
  }

  cancel(end: 'cancelled' | 'owner-gone' | 'closed'): void {
    this.host.end(this, end);
  }

  expire(): boolean {
    return this.host.expire(this);
  }

  open(): void {
    this.host.open(this);
  }
}

/** Maximum number of owners without jobs that are kept, unless more have jobs: most owners return soon. */
const MAX_IDLE = 64;

/** The owners that have a waiting or running job. */
export class Owners {
  readonly withoutKey = new Owner<AcceptedJob>(undefined, true);
  /** Whether an identified owner has had a job. From then on anonymous owners leave room for identified ones. */
  hasIdentified = false;
  private known = new Map<unknown, Owner<AcceptedJob>>();
  private idle = 0;

  get count(): number {
    return this.known.size - this.idle;
  }

  find(key: unknown): Owner<AcceptedJob> | undefined {
    return this.known.get(key);
  }

  /** Creates an owner if none is known; it is kept from its first job on. */
  get(key: unknown, isAnonymous: boolean): Owner<AcceptedJob> {
    if (key === undefined) return this.withoutKey;
    return this.known.get(key) ?? new Owner<AcceptedJob>(key, isAnonymous);
  }

  enter(owner: Owner<AcceptedJob>): void {
    owner.jobs += 1;
    if (owner.jobs > 1 || owner === this.withoutKey) return;
    if (owner.isKnown) {
      this.idle -= 1;
      return;
    }
    owner.isKnown = true;
    this.known.set(owner.key, owner);
    if (!owner.isAnonymous) this.hasIdentified = true;
  }

  leave(owner: Owner<AcceptedJob>): void {
    owner.jobs -= 1;
    if (owner.jobs > 0 || owner === this.withoutKey) return;
    this.idle += 1;
    if (this.idle > MAX_IDLE && this.idle > this.count) this.forgetIdle();
  }

  *all(): Generator<Owner<AcceptedJob>, void> {
    yield this.withoutKey;
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

import { AsyncResource } from 'node:async_hooks';

import type { Job, JobEnd, JobTicket } from './job.js';

/** What an item of a chain carries itself, so that joining and leaving allocate nothing. */
interface Links<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** A list that items leave from anywhere at once; an item is in one chain at a time. */
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

  /** The item must be in this chain. */
  remove(item: T): void {
    const { previous, next } = item;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    // One that has left keeps none of the others alive.
    item.previous = undefined;
    item.next = undefined;
    this.length -= 1;
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (let item = this.first; item !== undefined; item = item.next) yield item;
  }
}

/** One owner, and what it has of each kind of places. */
export class Owner<J extends Links<J>> {
  /** All that it waits for or runs, with or without a place, abandoned jobs included. */
  jobs = 0;
  /** Whether others find it by its key. */
  isKnown = false;
  /** Made with its first job of the kind. */
  work: OwnerQueue<J> | undefined = undefined;
  control: OwnerQueue<J> | undefined = undefined;

  constructor(
    /** `undefined` for nobody in particular, who has no share and no limit. */
    readonly key: unknown,
    /** Whether nobody has identified it: the key stands for a connection or an address. */
    readonly isNameless: boolean,
  ) {}

  *waiting(): Generator<J, void> {
    if (this.work !== undefined) yield* this.work.waiting;
    if (this.control !== undefined) yield* this.control.waiting;
  }
}

/** How much of one kind of places an owner may hold. */
export interface OwnerShare {
  /** Running and abandoned jobs together. */
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxAbandoned: number;
}

/** What one owner has waiting, running and abandoned of one kind of places. */
export class OwnerQueue<J extends Links<J>> implements Links<OwnerQueue<J>> {
  previous: OwnerQueue<J> | undefined = undefined;
  next: OwnerQueue<J> | undefined = undefined;
  readonly waiting = new Chain<J>();
  /** Places it has taken. */
  running = 0;
  /** Jobs that lost their place and still run. They give their place to others, not to their own owner. */
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

  /** Whether all that it may run is abandoned, so that waiting would be of no use. */
  get isBlocked(): boolean {
    return this.abandoned >= this.share.maxRunning;
  }

  get ready(): boolean {
    return this.waiting.length > 0 && this.hasRoom;
  }
}

/**
 * `ending` was told to end and still holds its place, `stuck` will hold it until it settles, since too many are abandoned,
 * and `abandoned` has lost it and still runs.
 */
export type JobStage = 'waiting' | 'begun' | 'ending' | 'stuck' | 'abandoned' | 'over';

/** Who keeps the books of a job. */
export interface JobHost {
  finish(accepted: AcceptedJob): void;
  end(accepted: AcceptedJob, end: JobEnd): boolean;
  expire(accepted: AcceptedJob): boolean;
  open(accepted: AcceptedJob): void;
}

/** A job that was taken, and its ticket. */
export class AcceptedJob implements JobTicket, Links<AcceptedJob> {
  previous: AcceptedJob | undefined = undefined;
  next: AcceptedJob | undefined = undefined;
  stage: JobStage = 'waiting';
  holdsPlace = false;
  /** The asynchronous context of whoever submitted it, where the job does not run at once. */
  private context: AsyncResource | undefined = undefined;

  constructor(
    private readonly host: JobHost,
    readonly job: Job,
    readonly queue: OwnerQueue<AcceptedJob>,
    /** When it is ended, or abandoned if it was told to end. */
    public dueAt: number,
  ) {}

  get owner(): Owner<AcceptedJob> {
    return this.queue.owner;
  }

  /** Called by whoever submits it, before another one's end starts it. */
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

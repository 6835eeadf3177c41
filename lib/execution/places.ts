import { type AcceptedJob, Chain, OwnerQueue, type Owner, type OwnerShare, type Owners } from './owners.js';
import { anonymousLimit, type PlaceLimits } from './executor-limits.js';

type Queue = OwnerQueue<AcceptedJob>;

const NO_LIMIT: OwnerShare = { maxRunning: Infinity, maxWaiting: Infinity, maxAbandoned: Infinity };

/**
 * Places of one kind and the queue for them. Owners take turns. All anonymous owners together have one turn among the
 * identified owners, because a client can open any number of connections.
 */
export class Places {
  running = 0;
  /** Waiting jobs of all owners. */
  waiting = 0;
  private runningAnonymous = 0;
  private waitingAnonymous = 0;
  /** Owners that can use a place, in turn; an owner that gets one moves to the end. */
  private readonly identified = new Chain<Queue>();
  private readonly anonymous = new Chain<Queue>();
  /** Turns of identified owners before the next turn of the anonymous owners. */
  private untilAnonymous = 0;
  private readonly share: OwnerShare;

  constructor(
    private readonly kind: 'work' | 'control',
    private readonly owners: Owners,
    private readonly limits: PlaceLimits,
    /** The owners of all kinds of places. */
    maxAbandoned: number,
  ) {
    this.share = {
      maxRunning: limits.maxPerOwner,
      maxWaiting: limits.maxQueuedPerOwner,
      maxAbandoned: Math.ceil(maxAbandoned / 2),
    };
  }

  queueOf(owner: Owner<AcceptedJob>): Queue {
    let queue = owner[this.kind];
    if (queue === undefined) {
      queue = new OwnerQueue<AcceptedJob>(owner, owner.key === undefined ? NO_LIMIT : this.share);
      owner[this.kind] = queue;
    }
    return queue;
  }

  /** The next job, if a place is free for it. */
  get next(): AcceptedJob | undefined {
    if (this.running >= this.limits.maxConcurrency) return undefined;
    return this.nextQueue?.waiting.first;
  }

  /** Waiting jobs come before a new job. */
  hasPlace(queue: Queue): boolean {
    return (
      this.running < this.limits.maxConcurrency &&
      queue.hasRoom &&
      this.nextQueue === undefined &&
      (!queue.owner.isAnonymous || this.hasPlaceForAnonymous)
    );
  }

  get isFull(): boolean {
    return this.waiting >= this.limits.maxQueue;
  }

  /**
   * The job that is displaced from a full queue by a new job: the newest job of the owner with the most waiting jobs, if that
   * owner has more than the new job's owner would have. Jobs of anonymous owners are displaced by identified owners, and not
   * the other way round once anonymous owners hold half of the queue.
   */
  surplusFor(newcomer: Queue): AcceptedJob | undefined {
    const { isAnonymous } = newcomer.owner;
    const prefersAnonymous = !isAnonymous && this.waitingAnonymous > 0;
    const onlyAnonymous = prefersAnonymous || (isAnonymous && this.waitingAnonymous * 2 >= this.limits.maxQueue);
    let most: Queue | undefined;
    for (const owner of this.owners.all()) {
      const queue = owner[this.kind];
      if (queue === undefined || queue.waiting.length <= (most?.waiting.length ?? 0)) continue;
      if (owner.isAnonymous || !onlyAnonymous) most = queue;
    }
    if (most === undefined || most === newcomer) return undefined;
    return prefersAnonymous || most.waiting.length > newcomer.waiting.length + 1 ? most.waiting.last : undefined;
  }

  enqueue(job: AcceptedJob): void {
    const { queue } = job;
    queue.waiting.append(job);
    this.waiting += 1;
    if (queue.owner.isAnonymous) this.waitingAnonymous += 1;
    this.review(queue);
  }

  dequeue(job: AcceptedJob): void {
    const { queue } = job;
    queue.waiting.remove(job);
    this.waiting -= 1;
    if (queue.owner.isAnonymous) this.waitingAnonymous -= 1;
    this.review(queue);
  }

  /** The same for the next job; its owner moves to the end of the turns. */
  serve(job: AcceptedJob): void {
    const { isAnonymous } = job.owner;
    this.leaveTurns(job.queue);
    if (isAnonymous) this.untilAnonymous = this.identified.length;
    else if (this.untilAnonymous > 0) this.untilAnonymous -= 1;
    this.dequeue(job);
  }

  take(queue: Queue): void {
    this.running += 1;
    queue.running += 1;
    if (queue.owner.isAnonymous) this.runningAnonymous += 1;
    this.review(queue);
  }

  free(queue: Queue): void {
    this.running -= 1;
    queue.running -= 1;
    if (queue.owner.isAnonymous) this.runningAnonymous -= 1;
    this.review(queue);
  }

  abandon(queue: Queue): void {
    queue.abandoned += 1;
    this.free(queue);
  }

  /** An abandoned job has settled. */
  settle(queue: Queue): void {
    queue.abandoned -= 1;
    this.review(queue);
  }

  private get hasPlaceForAnonymous(): boolean {
    return !this.owners.hasIdentified || this.runningAnonymous < anonymousLimit(this.limits.maxConcurrency);
  }

  private get nextQueue(): Queue | undefined {
    const identified = this.identified.first;
    const anonymous = this.anonymous.first;
    if (anonymous === undefined || !this.hasPlaceForAnonymous) return identified;
    return identified === undefined || this.untilAnonymous === 0 ? anonymous : identified;
  }

  private review(queue: Queue): void {
    if (queue.ready === queue.inTurn) return;
    if (queue.inTurn) {
      this.leaveTurns(queue);
      return;
    }
    queue.inTurn = true;
    this.turnsOf(queue).append(queue);
  }

  private leaveTurns(queue: Queue): void {
    queue.inTurn = false;
    this.turnsOf(queue).remove(queue);
  }

  private turnsOf({ owner }: Queue): Chain<Queue> {
    return owner.isAnonymous ? this.anonymous : this.identified;
  }
}

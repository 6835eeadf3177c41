import { type AcceptedJob, Chain, OwnerQueue, type Owner, type OwnerShare, type Owners } from './owners.js';
import { namelessLimit, type PlaceLimits } from './executor-limits.js';

type Queue = OwnerQueue<AcceptedJob>;

const NO_LIMIT: OwnerShare = { maxRunning: Infinity, maxWaiting: Infinity, maxAbandoned: Infinity };

/**
 * Places of one kind, the queue for them, and whose turn it is. Owners take turns. All nameless owners together have one
 * turn among those with a name, since a client can open as many connections as it likes.
 */
export class Places {
  running = 0;
  /** Jobs that wait, of all owners. */
  waiting = 0;
  private runningNameless = 0;
  private waitingNameless = 0;
  /** Owners that could use a place; who gets one goes to the end. */
  private readonly named = new Chain<Queue>();
  private readonly nameless = new Chain<Queue>();
  /** Turns of named owners before the next one of nameless owners. */
  private untilNameless = 0;
  private readonly share: OwnerShare;

  constructor(
    private readonly kind: 'work' | 'control',
    private readonly owners: Owners,
    private readonly limits: PlaceLimits,
    /** Of all kinds together. */
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

  /** The job whose turn it is, where there is a place for it. */
  get next(): AcceptedJob | undefined {
    if (this.running >= this.limits.maxConcurrency) return undefined;
    return this.nextQueue?.waiting.first;
  }

  /** Whoever waits for a free place is before a newcomer. */
  hasPlace(queue: Queue): boolean {
    return (
      this.running < this.limits.maxConcurrency &&
      queue.hasRoom &&
      this.nextQueue === undefined &&
      (!queue.owner.isNameless || this.hasPlaceForNameless)
    );
  }

  get isFull(): boolean {
    return this.waiting >= this.limits.maxQueue;
  }

  /**
   * The job that gives its room in a full queue to a newcomer: the newest of whoever has most there, if that is more than the
   * newcomer would have. Any nameless one gives way to an owner with a name, and not the other way round once nameless owners
   * hold half of the queue.
   */
  surplusFor(newcomer: Queue): AcceptedJob | undefined {
    const { isNameless } = newcomer.owner;
    const prefersNameless = !isNameless && this.waitingNameless > 0;
    const onlyNameless = prefersNameless || (isNameless && this.waitingNameless * 2 >= this.limits.maxQueue);
    let most: Queue | undefined;
    for (const owner of this.owners.all()) {
      const queue = owner[this.kind];
      if (queue === undefined || queue.waiting.length <= (most?.waiting.length ?? 0)) continue;
      if (owner.isNameless || !onlyNameless) most = queue;
    }
    if (most === undefined || most === newcomer) return undefined;
    return prefersNameless || most.waiting.length > newcomer.waiting.length + 1 ? most.waiting.last : undefined;
  }

  enqueue(job: AcceptedJob): void {
    const { queue } = job;
    queue.waiting.append(job);
    this.waiting += 1;
    if (queue.owner.isNameless) this.waitingNameless += 1;
    this.review(queue);
  }

  dequeue(job: AcceptedJob): void {
    const { queue } = job;
    queue.waiting.remove(job);
    this.waiting -= 1;
    if (queue.owner.isNameless) this.waitingNameless -= 1;
    this.review(queue);
  }

  /** The same for the job whose turn it is; its owner goes to the end of those in turn. */
  serve(job: AcceptedJob): void {
    const { isNameless } = job.owner;
    this.leaveTurns(job.queue);
    if (isNameless) this.untilNameless = this.named.length;
    else if (this.untilNameless > 0) this.untilNameless -= 1;
    this.dequeue(job);
  }

  take(queue: Queue): void {
    this.running += 1;
    queue.running += 1;
    if (queue.owner.isNameless) this.runningNameless += 1;
    this.review(queue);
  }

  free(queue: Queue): void {
    this.running -= 1;
    queue.running -= 1;
    if (queue.owner.isNameless) this.runningNameless -= 1;
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

  private get hasPlaceForNameless(): boolean {
    return !this.owners.hasNamed || this.runningNameless < namelessLimit(this.limits.maxConcurrency);
  }

  private get nextQueue(): Queue | undefined {
    const named = this.named.first;
    const nameless = this.nameless.first;
    if (nameless === undefined || !this.hasPlaceForNameless) return named;
    return named === undefined || this.untilNameless === 0 ? nameless : named;
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
    return owner.isNameless ? this.nameless : this.named;
  }
}

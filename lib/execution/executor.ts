import { AcceptedJob, type JobHost } from './accepted-job.js';
import { Chain } from './owners/chain.js';
import { systemClock, type Clock } from './clock.js';
import { DeadlineTimer } from './deadline.timer.js';
import { createExecutorLimits, type ExecutorLimits } from './executor-limits.js';
import type { ExecutorOptions } from './executor-options.interface.js';
import { JobKeys } from './job-keys.js';
import type { Job, JobEnd, JobKey, JobRefusal, JobTicket, Lane } from './job.js';
import type { OwnerQueue } from './owners/owner-queue.js';
import { Owners } from './owners/owners.js';
import { SlotCounts, type Slots } from './slots.js';

/**
 * What an executor is doing.
 *
 * @publicApi
 */
export interface ExecutorStats {
  /** Places that are taken. */
  readonly running: number;
  /** Jobs that wait for a place. */
  readonly queued: number;
  /** Jobs that lost their place and still run. */
  readonly abandoned: number;
  /** Owners with something waiting or running. */
  readonly owners: number;
  /** Held slots by name; a name with none is left out. */
  readonly slots: Readonly<Record<string, number>>;
  readonly maxConcurrency: number;
  readonly maxQueue: number;
}

/**
 * Runs jobs within bounds: so many at the same time, so many waiting, none for ever, and no owner in the way of the others.
 *
 * A job ends once: it finishes, or it is told to stop. One that was told keeps its place until it has settled, or until it
 * is abandoned; its key is free at once. The books are in order before code of a job runs, which may call back.
 *
 * @publicApi
 */
export class Executor {
  private readonly limits: ExecutorLimits;
  private readonly owners: Owners;
  private readonly deadlines: DeadlineTimer;
  private readonly keys = new JobKeys();
  private readonly slotCounts = new SlotCounts();
  /** All that have begun and are neither over nor abandoned. */
  private readonly begun = new Chain<AcceptedJob>();
  private readonly host: JobHost = {
    finish: (accepted) => this.finish(accepted),
    end: (accepted, end) => this.end(accepted, end),
  };
  private running = 0;
  private abandoned = 0;
  private closed = false;
  /** Free places are given away later, by who set this. */
  private holding = false;

  constructor(
    options: ExecutorOptions = {},
    private readonly clock: Clock = systemClock,
  ) {
    this.limits = createExecutorLimits(options);
    this.owners = new Owners(this.limits.maxPerOwner, this.limits.maxQueuedPerOwner);
    this.deadlines = new DeadlineTimer(clock, (now) => this.endDue(now));
  }

  /** Takes a job and starts it if there is a place, or says why not. What `start` throws is thrown here. */
  submit(job: Job): JobTicket | JobRefusal {
    if (this.closed) return 'closed';
    const { key, timeoutMs } = job;
    if (key !== undefined && this.keys.find(key) !== undefined) return 'duplicate-key';
    const owner = this.owners.get(job.owner);
    const atOnce = job.lane !== 'work' || this.hasPlace(owner);
    if (job.lane === 'work' && (this.isExhausted || (!atOnce && !this.mayWait(owner)))) return 'overloaded';
    const dueAt = timeoutMs === Infinity ? Infinity : this.clock.now() + timeoutMs;
    const accepted = new AcceptedJob(this.host, job, owner, dueAt);
    this.owners.enter(owner);
    if (key !== undefined) this.keys.set(key, accepted);
    this.deadlines.include(dueAt);
    if (atOnce) this.beginNow(accepted);
    else this.wait(accepted);
    return accepted;
  }

  /** Lane of the live job with this key. */
  laneOf(key: JobKey): Lane | undefined {
    return this.keys.find(key)?.job.lane;
  }

  /** Ends the job with this key; tells whether there was one. */
  cancel(key: JobKey): boolean {
    const accepted = this.keys.find(key);
    return accepted !== undefined && this.end(accepted, 'cancelled');
  }

  /** Ends all that an owner has waiting and running; tells how many there were. */
  cancelOwner(owner: unknown): number {
    const found = this.owners.find(owner);
    if (found === undefined) return 0;
    const begun = [...this.begun].filter((accepted) => accepted.owner === found);
    return this.endAll([...found.waiting, ...begun], 'owner-gone');
  }

  /** Places for things that stay open; all who ask for a name share its count, each with a limit of its own. */
  slots(name: string, limit: number): Slots {
    return this.slotCounts.create(name, limit);
  }

  stats(): ExecutorStats {
    return {
      running: this.running,
      queued: this.owners.waiting,
      abandoned: this.abandoned,
      owners: this.owners.count,
      slots: this.slotCounts.snapshot(),
      maxConcurrency: this.limits.maxConcurrency,
      maxQueue: this.limits.maxQueue,
    };
  }

  /** Ends everything and takes nothing from now on. Harmless to repeat. */
  close(): void {
    this.closed = true;
    this.deadlines.stop();
    this.slotCounts.close();
    this.endAll([...this.owners.allWaiting(), ...this.begun], 'closed');
  }

  private get isExhausted(): boolean {
    return this.abandoned >= this.limits.maxAbandoned;
  }

  /** Whoever waits for a free place is before a newcomer. */
  private hasPlace(owner: OwnerQueue<AcceptedJob>): boolean {
    return this.running < this.limits.maxConcurrency && owner.hasRoom && this.owners.next === undefined;
  }

  private mayWait(owner: OwnerQueue<AcceptedJob>): boolean {
    return this.owners.waiting < this.limits.maxQueue && owner.mayWait;
  }

  private wait(accepted: AcceptedJob): void {
    this.owners.enqueue(accepted);
    this.giveAway();
  }

  private beginNow(accepted: AcceptedJob): void {
    try {
      this.begin(accepted);
    } catch (error) {
      this.finish(accepted);
      throw error;
    }
  }

  private begin(accepted: AcceptedJob): void {
    accepted.stage = 'begun';
    this.begun.append(accepted);
    if (accepted.takesPlace) {
      this.running += 1;
      this.owners.takePlace(accepted.owner);
    }
    accepted.job.start(accepted);
  }

  /** Gives free places to those who wait. */
  private giveAway(): void {
    if (this.holding || this.owners.next === undefined) return;
    this.holding = true;
    try {
      for (let next = this.nextWithPlace(); next !== undefined; next = this.nextWithPlace()) this.takeTurn(next);
    } finally {
      this.holding = false;
    }
  }

  private nextWithPlace(): AcceptedJob | undefined {
    return this.running < this.limits.maxConcurrency ? this.owners.next : undefined;
  }

  private takeTurn(accepted: AcceptedJob): void {
    // A busy event loop lets a place come free before the timer of a deadline runs.
    if (accepted.dueAt <= this.clock.now()) {
      this.end(accepted, 'deadline');
      return;
    }
    this.owners.dequeue(accepted);
    try {
      this.begin(accepted);
    } catch (cause) {
      const untold = accepted.stage === 'begun';
      this.finish(accepted);
      if (untold) accepted.job.stop('closed', cause);
    }
  }

  private finish(accepted: AcceptedJob): void {
    const { stage } = accepted;
    if (stage === 'over') return;
    if (stage === 'waiting' || stage === 'begun') this.freeKey(accepted);
    if (stage === 'waiting') this.leaveQueue(accepted);
    else if (stage === 'abandoned') this.abandoned -= 1;
    else this.leavePlace(accepted);
    accepted.stage = 'over';
    this.giveAway();
  }

  private end(accepted: AcceptedJob, end: JobEnd): boolean {
    const { stage } = accepted;
    if (stage !== 'waiting' && stage !== 'begun') return false;
    this.freeKey(accepted);
    if (stage === 'begun' && accepted.takesPlace) {
      accepted.stage = 'ending';
      accepted.dueAt = this.clock.now() + this.limits.abandonAfterMs;
      this.deadlines.include(accepted.dueAt);
    } else {
      accepted.stage = 'over';
      if (stage === 'waiting') this.leaveQueue(accepted);
      else this.leavePlace(accepted);
    }
    accepted.job.stop(end);
    return true;
  }

  /** No place is given away before all are ended. One that throws does not save the others. */
  private endAll(jobs: readonly AcceptedJob[], end: JobEnd): number {
    const errors: unknown[] = [];
    const { holding } = this;
    let ended = 0;
    this.holding = true;
    for (const accepted of jobs) {
      try {
        if (this.end(accepted, end)) ended += 1;
      } catch (error) {
        errors.push(error);
      }
    }
    this.holding = holding;
    this.giveAway();
    if (errors.length > 0) throw errors[0];
    return ended;
  }

  private endDue(now: number): void {
    const due: AcceptedJob[] = [];
    const lost: AcceptedJob[] = [];
    let earliest = Infinity;
    for (const accepted of [...this.begun, ...this.owners.allWaiting()]) {
      if (accepted.dueAt > now) earliest = Math.min(earliest, accepted.dueAt);
      else (accepted.stage === 'ending' ? lost : due).push(accepted);
    }
    this.deadlines.include(earliest);
    for (const accepted of lost) this.abandon(accepted);
    this.endAll(due, 'deadline');
  }

  private abandon(accepted: AcceptedJob): void {
    accepted.stage = 'abandoned';
    this.abandoned += 1;
    this.leavePlace(accepted);
  }

  private leaveQueue(accepted: AcceptedJob): void {
    this.owners.dequeue(accepted);
    this.owners.leave(accepted.owner);
  }

  private leavePlace(accepted: AcceptedJob): void {
    this.begun.remove(accepted);
    if (accepted.takesPlace) {
      this.running -= 1;
      this.owners.freePlace(accepted.owner);
    }
    this.owners.leave(accepted.owner);
  }

  private freeKey(accepted: AcceptedJob): void {
    const { key } = accepted.job;
    if (key !== undefined) this.keys.delete(key);
  }
}

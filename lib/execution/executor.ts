import { Abandonment } from './abandonment.js';
import { AcceptedJob, type JobHost, Chain, Owners } from './owners.js';
import { systemClock, type Clock, DeadlineTimer } from './clock.js';
import { CONTROL_LIMITS, createExecutorLimits, type ExecutorLimits } from './executor-limits.js';
import type { ExecutorOptions } from './executor-options.interface.js';
import type { ExecutorStats } from './executor-stats.interface.js';
import { JobKeys } from './job-keys.js';
import type { Job, JobEnd, JobKey, JobRefusal, JobTicket, Lane } from './job.js';
import { Places } from './places.js';
import { SlotCounts, type SlotLimits, type Slots } from './slots.js';

/**
 * Limits the work of a server, or of several that share the executor: how much runs, how much waits, and for how long. A job
 * ends once: it finishes, or it is stopped. A stopped job keeps its place until it settles or is abandoned; its key is free
 * immediately. A job that waited runs in the asynchronous context of its `submit`. All counts are updated before code of a
 * job runs.
 *
 * @publicApi
 */
export class Executor {
  private readonly limits: ExecutorLimits;
  private readonly owners = new Owners();
  private readonly work: Places;
  private readonly control: Places;
  private readonly deadlines: DeadlineTimer;
  private readonly keys = new JobKeys();
  private readonly slotCounts = new SlotCounts(this.owners);
  /** Jobs that have begun and are neither over nor abandoned. */
  private readonly begun = new Chain<AcceptedJob>();
  private readonly host: JobHost = {
    finish: (accepted) => this.finish(accepted),
    end: (accepted, end) => this.end(accepted, end),
    expire: (accepted) => this.expire(accepted),
    open: (accepted) => this.open(accepted),
  };
  private readonly abandonment: Abandonment;
  private closed = false;
  /** While set, free places are not assigned; the caller that set it assigns them afterwards. */
  private holding = false;

  constructor(options?: ExecutorOptions);
  /** @internal */ constructor(options: ExecutorOptions, clock: Clock);
  constructor(
    options: ExecutorOptions = {},
    private readonly clock: Clock = systemClock,
  ) {
    this.limits = createExecutorLimits(options);
    const { maxAbandoned } = this.limits;
    this.work = new Places('work', this.owners, this.limits, maxAbandoned);
    this.control = new Places('control', this.owners, CONTROL_LIMITS, maxAbandoned);
    this.abandonment = new Abandonment(maxAbandoned, this.owners);
    this.deadlines = new DeadlineTimer(clock, (now) => this.endDue(now));
  }

  /** Accepts a job and starts it if a place is free, or returns why not. Errors of `start` are thrown here. @internal */
  submit(job: Job): JobTicket | JobRefusal {
    if (this.closed) return 'closed';
    const { key, timeoutMs } = job;
    if (key !== undefined && this.keys.find(key) !== undefined) return 'duplicate-key';
    const owner = this.owners.get(job.owner, job.isAnonymous === true);
    const places = this.placesOf(job);
    const queue = places.queueOf(owner);
    const atOnce = places.hasPlace(queue);
    const displaced = atOnce || !places.isFull ? undefined : places.surplusFor(queue);
    if (!atOnce && (queue.isBlocked || !queue.mayWait || (places.isFull && displaced === undefined)))
      return 'overloaded';
    const dueAt = timeoutMs === Infinity ? Infinity : this.clock.now() + timeoutMs;
    const accepted = new AcceptedJob(this.host, job, queue, dueAt);
    this.owners.enter(owner);
    if (key !== undefined) this.keys.set(key, accepted);
    this.deadlines.include(dueAt);
    if (atOnce) this.beginNow(accepted);
    else this.wait(accepted, displaced);
    return accepted;
  }

  /** Lane of the live job with this key. @internal */
  laneOf(key: JobKey): Lane | undefined {
    return this.keys.find(key)?.job.lane;
  }

  /** Ends the job with this key; returns whether one existed. @internal */
  cancel(key: JobKey): boolean {
    const accepted = this.keys.find(key);
    return accepted !== undefined && this.end(accepted, 'cancelled');
  }

  /** Ends all waiting and running jobs of an owner; returns their number. @internal */
  cancelOwner(key: unknown): number {
    const found = this.owners.find(key);
    if (found === undefined) return 0;
    const begun = [...this.begun].filter((accepted) => accepted.owner === found);
    return this.endAll([...found.waiting(), ...begun], 'owner-gone');
  }

  /** Slots for long-lived work. All users of a name share its count, each with its own limits. @internal */
  slots(name: string, limits: SlotLimits): Slots {
    return this.slotCounts.create(name, limits);
  }

  /** Current numbers of running and waiting jobs. */
  stats(): ExecutorStats {
    const { work, control, limits } = this;
    return {
      running: work.running,
      queued: work.waiting,
      controlRunning: control.running,
      controlQueued: control.waiting,
      abandoned: this.abandonment.count,
      owners: this.owners.count,
      slots: this.slotCounts.snapshot(),
      maxConcurrency: limits.maxConcurrency,
      maxQueue: limits.maxQueue,
    };
  }

  /** Ends all jobs and accepts no more. May be repeated. @internal */
  close(): void {
    this.closed = true;
    this.deadlines.stop();
    this.slotCounts.close();
    this.endAll([...this.owners.allWaiting(), ...this.begun], 'closed');
  }

  private placesOf({ lane }: Job): Places {
    return lane === 'work' ? this.work : this.control;
  }

  private wait(accepted: AcceptedJob, displaced: AcceptedJob | undefined): void {
    accepted.keepContext();
    if (displaced !== undefined) this.remove(displaced);
    this.placesOf(accepted.job).enqueue(accepted);
    try {
      displaced?.stop('displaced');
    } catch {
      // An error of the displaced job must not cost the new job its place in the queue.
    }
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
    accepted.holdsPlace = true;
    this.begun.append(accepted);
    this.placesOf(accepted.job).take(accepted.queue);
    accepted.start();
  }

  /** Assigns free places to waiting jobs. */
  private giveAway(): void {
    if (this.holding || (this.work.waiting === 0 && this.control.waiting === 0)) return;
    this.holding = true;
    try {
      for (let next = this.next; next !== undefined; next = this.next) this.takeTurn(next);
    } finally {
      this.holding = false;
    }
  }

  private get next(): AcceptedJob | undefined {
    return this.work.next ?? this.control.next;
  }

  private takeTurn(accepted: AcceptedJob): void {
    // On a busy event loop a place may become free before the timer of a deadline fires.
    if (this.expire(accepted)) return;
    this.placesOf(accepted.job).serve(accepted);
    try {
      this.begin(accepted);
    } catch (cause) {
      const untold = accepted.stage === 'begun';
      this.finish(accepted);
      if (untold) accepted.stop('closed', cause);
    }
  }

  private expire(accepted: AcceptedJob): boolean {
    const { stage, dueAt } = accepted;
    if ((stage !== 'waiting' && stage !== 'begun') || dueAt === Infinity || dueAt > this.clock.now()) return false;
    return this.end(accepted, 'deadline');
  }

  private open(accepted: AcceptedJob): void {
    if (accepted.stage !== 'begun' || !accepted.holdsPlace) return;
    accepted.dueAt = Infinity;
    this.freePlace(accepted);
    this.giveAway();
  }

  private finish(accepted: AcceptedJob): void {
    const { stage } = accepted;
    if (stage === 'over') return;
    if (stage === 'waiting' || stage === 'begun') this.freeKey(accepted);
    if (stage === 'abandoned') this.leaveAbandoned(accepted);
    else this.leave(accepted);
    accepted.stage = 'over';
    this.giveAway();
  }

  private end(accepted: AcceptedJob, end: JobEnd): boolean {
    const { stage } = accepted;
    if (stage !== 'waiting' && stage !== 'begun') return false;
    if (stage === 'begun' && accepted.holdsPlace) {
      this.freeKey(accepted);
      accepted.stage = 'ending';
      accepted.dueAt = this.clock.now() + this.limits.abandonAfterMs;
      this.deadlines.include(accepted.dueAt);
    } else {
      this.remove(accepted);
    }
    accepted.stop(end);
    return true;
  }

  /** Removes a job that holds no place. */
  private remove(accepted: AcceptedJob): void {
    this.freeKey(accepted);
    this.leave(accepted);
    accepted.stage = 'over';
  }

  /** Assigns no place before all jobs are ended. An error of one job does not keep the others running. */
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

  /** Frees the place of a job, unless too many jobs are abandoned: then the job keeps it until it settles. */
  private abandon(accepted: AcceptedJob): void {
    if (!this.abandonment.add(accepted)) return;
    accepted.holdsPlace = false;
    this.begun.remove(accepted);
    this.placesOf(accepted.job).abandon(accepted.queue);
  }

  private leaveAbandoned(accepted: AcceptedJob): void {
    this.placesOf(accepted.job).settle(accepted.queue);
    this.owners.leave(accepted.owner);
    const next = this.abandonment.remove(accepted);
    if (next !== undefined) this.abandon(next);
  }

  private leave(accepted: AcceptedJob): void {
    if (accepted.stage === 'waiting') {
      this.placesOf(accepted.job).dequeue(accepted);
    } else {
      this.begun.remove(accepted);
      if (accepted.stage === 'stuck') this.abandonment.forget(accepted);
      if (accepted.holdsPlace) this.freePlace(accepted);
    }
    this.owners.leave(accepted.owner);
  }

  private freePlace(accepted: AcceptedJob): void {
    accepted.holdsPlace = false;
    this.placesOf(accepted.job).free(accepted.queue);
  }

  private freeKey(accepted: AcceptedJob): void {
    const { key } = accepted.job;
    if (key !== undefined) this.keys.delete(key);
  }
}

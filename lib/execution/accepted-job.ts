import { AsyncResource } from 'node:async_hooks';

import type { Links } from './chain.js';
import type { Job, JobEnd, JobTicket } from './job.js';
import type { Owner, OwnerQueue } from './owner.js';

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

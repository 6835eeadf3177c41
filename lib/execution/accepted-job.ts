import type { Links } from './owners/chain.js';
import type { Job, JobEnd, JobTicket } from './job.js';
import type { OwnerQueue } from './owners/owner-queue.js';

/** `ending` was told to end and still holds its place, `abandoned` has lost it and still runs. */
export type JobStage = 'waiting' | 'begun' | 'ending' | 'abandoned' | 'over';

/** Who keeps the books of a job. */
export interface JobHost {
  finish(accepted: AcceptedJob): void;
  end(accepted: AcceptedJob, end: JobEnd): boolean;
}

/** A job that was taken, and its ticket. */
export class AcceptedJob implements JobTicket, Links<AcceptedJob> {
  previous: AcceptedJob | undefined = undefined;
  next: AcceptedJob | undefined = undefined;
  stage: JobStage = 'waiting';

  constructor(
    private readonly host: JobHost,
    readonly job: Job,
    readonly owner: OwnerQueue<AcceptedJob>,
    /** When it is ended, or abandoned if it was told to end. */
    public dueAt: number,
  ) {}

  get takesPlace(): boolean {
    return this.job.lane === 'work';
  }

  finish(): void {
    this.host.finish(this);
  }

  cancel(end: Exclude<JobEnd, 'deadline'>): void {
    this.host.end(this, end);
  }
}

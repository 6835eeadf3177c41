import type { ExecutorOptions } from '../../../lib/execution/executor-options.interface.js';
import { Executor } from '../../../lib/execution/executor.js';
import type { JobRefusal } from '../../../lib/execution/job.js';
import { ManualClock } from '../../support/manual-clock.js';
import { RecordedJob, type JobOptions } from './recorded-job.js';

/** An executor with a manual clock, with jobs by name and one log of all starts and stops. */
export class Desk {
  readonly clock = new ManualClock();
  readonly log: string[] = [];
  readonly executor: Executor;
  private readonly jobs = new Map<string, RecordedJob>();

  constructor(options: ExecutorOptions = {}) {
    this.executor = new Executor(options, this.clock);
  }

  /** Submits a new job, and returns `taken` or the refusal. */
  submit(name: string, options: JobOptions = {}): JobRefusal | 'taken' {
    const job = new RecordedJob(name, this.log, options);
    const answer = this.executor.submit(job);
    if (typeof answer === 'string') return answer;
    job.ticket = answer;
    this.jobs.set(name, job);
    return 'taken';
  }

  job(name: string): RecordedJob {
    const job = this.jobs.get(name);
    if (job === undefined) throw new Error(`no job ${name} was taken`);
    return job;
  }

  finish(...names: string[]): void {
    for (const name of names) this.job(name).finish();
  }

  /** Returns and removes the lines that were logged since the last call. */
  news(): string[] {
    return this.log.splice(0);
  }

  /** Numbers of occupied places, queued jobs, abandoned jobs and owners with jobs. */
  counts(): readonly [running: number, queued: number, abandoned: number, owners: number] {
    const { running, queued, abandoned, owners } = this.executor.stats();
    return [running, queued, abandoned, owners];
  }
}

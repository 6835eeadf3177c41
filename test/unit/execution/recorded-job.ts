import type { Job, JobEnd, JobKey, JobTicket, Lane } from '../../../lib/execution/job.js';

export interface JobOptions {
  readonly lane?: Lane;
  readonly owner?: unknown;
  readonly isAnonymous?: boolean;
  readonly key?: JobKey | undefined;
  readonly timeoutMs?: number;
  /** Runs inside `start`. */
  readonly onStart?: ((ticket: JobTicket) => void) | undefined;
  /** Runs inside `stop`; `ticket` is undefined for a job that never started. */
  readonly onStop?: ((ticket: JobTicket | undefined) => void) | undefined;
}

/** A job that logs its start and stop, and fails when one of them happens twice or out of order. */
export class RecordedJob implements Job {
  readonly lane: Lane;
  readonly owner: unknown;
  readonly isAnonymous: boolean;
  readonly key: JobKey | undefined;
  readonly timeoutMs: number;
  ticket: JobTicket | undefined;
  started = false;
  ended: JobEnd | undefined;
  cause: unknown;
  private finished = false;

  constructor(
    readonly name: string,
    private readonly log: string[],
    private readonly options: JobOptions = {},
  ) {
    this.lane = options.lane ?? 'work';
    this.owner = options.owner;
    this.isAnonymous = options.isAnonymous ?? false;
    this.key = options.key;
    this.timeoutMs = options.timeoutMs ?? Infinity;
  }

  start(ticket: JobTicket): void {
    if (this.started || this.ended !== undefined) throw new Error(`${this.name} started twice, or after its end`);
    this.started = true;
    this.ticket = ticket;
    this.log.push(`start ${this.name}`);
    this.options.onStart?.(ticket);
  }

  stop(end: JobEnd, cause?: unknown): void {
    if (this.ended !== undefined || this.finished) throw new Error(`${this.name} stopped twice, or after its end`);
    this.ended = end;
    this.cause = cause;
    this.log.push(`stop ${this.name} ${end}`);
    this.options.onStop?.(this.ticket);
  }

  finish(): void {
    this.finished = true;
    if (this.ticket === undefined) throw new Error(`${this.name} has not started`);
    this.ticket.finish();
  }
}

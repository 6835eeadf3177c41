/** `control` runs at once and takes no place, `work` takes a place or queues for one, `stream` takes a slot. */
export type Lane = 'control' | 'work' | 'stream';

/** Why a job was ended from outside. */
export type JobEnd = 'cancelled' | 'owner-gone' | 'deadline' | 'closed';

/** Why a job was never taken. */
export type JobRefusal = 'overloaded' | 'duplicate-key' | 'closed';

/** Tells one live job from the others. */
export interface JobKey {
  /** Ids are unique within a scope; scopes are compared as `Map` compares keys. */
  readonly scope: unknown;
  readonly id: string | number | bigint;
}

/** Something to run, bounded. */
export interface Job {
  readonly lane: Lane;
  /** Whose turn it takes, compared as `Map` compares keys; `undefined` is nobody in particular, and never capped. */
  readonly owner: unknown;
  readonly key?: JobKey | undefined;
  /** Milliseconds from `submit`, waiting included; `Infinity` for none. */
  readonly timeoutMs: number;
  /** Begins the work: at once, or when a place is free. Called at most once, and never after `stop`. */
  start(ticket: JobTicket): void;
  /**
   * Ends the job from outside, queued or running: called at most once, never after the ticket's `finish`.
   * A cause is what `start` threw when the job had waited for its turn; the end is `closed` then.
   */
  stop(end: JobEnd, cause?: unknown): void;
}

/** The executor's side of a job that was taken. */
export interface JobTicket {
  /** The work has settled, in time or late; its place is free again. Harmless to repeat. */
  finish(): void;
  /** Ends the job, unless it has ended: its key is free at once, its place when the work settles or is abandoned. */
  cancel(end: Exclude<JobEnd, 'deadline'>): void;
}

/**
 * `work` takes a place or queues for one. `control` takes one of its own kind, so that it never waits for work. `stream` takes
 * a place of that kind until it is open.
 */
export type Lane = 'control' | 'work' | 'stream';

/** Why a job was ended from outside. `displaced` gave its room in a full queue to somebody with less. */
export type JobEnd = 'cancelled' | 'owner-gone' | 'deadline' | 'displaced' | 'closed';

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
  /** Whether nobody has identified the owner: it stands for a connection or an address. */
  readonly isNameless?: boolean;
  readonly key?: JobKey | undefined;
  /** Milliseconds from `submit`, waiting included; `Infinity` for none. A stream that is open has none. */
  readonly timeoutMs: number;
  /**
   * Begins the work: at once, or when a place is free, and then in the asynchronous context of `submit`. Called at most once,
   * and never after `stop`.
   */
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
  cancel(end: 'cancelled' | 'owner-gone' | 'closed'): void;
  /** Ends the job if its time is over, though no timer has run yet: a busy event loop delays them. Tells whether it did. */
  expire(): boolean;
  /** A stream is open: it takes no place any more, and has no deadline. */
  open(): void;
}

/**
 * `work` occupies a place or queues for one. `control` has separate places, so that it never waits for work. `stream` occupies
 * a control place until it is open.
 */
export type Lane = 'control' | 'work' | 'stream';

/** Why a job was ended from outside. A `displaced` job gave its place in a full queue to an owner with fewer jobs. */
export type JobEnd = 'cancelled' | 'owner-gone' | 'deadline' | 'displaced' | 'closed';

/** Why a job was not accepted. */
export type JobRefusal = 'overloaded' | 'duplicate-key' | 'closed';

/** Identifies a live job. */
export interface JobKey {
  /** Ids are unique within a scope; scopes are compared as `Map` compares keys. */
  readonly scope: unknown;
  readonly id: string | number | bigint;
}

/** A unit of work. */
export interface Job {
  readonly lane: Lane;
  /** The owner, compared as `Map` compares keys; `undefined` for no owner, which has no share and no limit. */
  readonly owner: unknown;
  /** Whether the owner is anonymous: its key is a connection or an address. */
  readonly isAnonymous?: boolean;
  readonly key?: JobKey | undefined;
  /** Time limit in milliseconds from `submit`, including waiting; `Infinity` for none. An open stream has none. */
  readonly timeoutMs: number;
  /**
   * Begins the work: immediately, or when a place is free, then in the asynchronous context of `submit`. Called at most
   * once, and never after `stop`.
   */
  start(ticket: JobTicket): void;
  /**
   * Ends the job from outside, queued or running: called at most once, never after the ticket's `finish`.
   * `cause` is the error that `start` threw after the job had waited; the end is `closed` then.
   */
  stop(end: JobEnd, cause?: unknown): void;
}

/** The executor's side of an accepted job. */
export interface JobTicket {
  /** The work has settled, in time or late; its place is free again. May be repeated. */
  finish(): void;
  /** Ends the job, unless it has ended: its key is free immediately, its place when the work settles or is abandoned. */
  cancel(end: 'cancelled' | 'owner-gone' | 'closed'): void;
  /** Ends the job if its deadline has passed and no timer has fired yet. Returns whether it did. */
  expire(): boolean;
  /** A stream is open: it occupies no place any more, and has no deadline. */
  open(): void;
}

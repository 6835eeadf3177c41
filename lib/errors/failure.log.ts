import { randomUUID } from 'node:crypto';
import type { Logger } from '@nestjs/common';

import { logError, messageOf, stackOf, warn } from './log-line.js';

/** One failure log for each logger, kept as long as the logger. */
const logs = new WeakMap<Logger, FailureLog>();

/** Logs an error with its stack, and returns the reference by which a client can ask about it. Never throws. */
export function logWithReference(logger: Logger, what: string, error: unknown): string {
  const reference = randomUUID();
  logOf(logger).write(what, error, reference);
  return reference;
}

/** `logWithReference` for errors that no client gets an answer about. */
export function logFailure(logger: Logger, what: string, error: unknown): void {
  logOf(logger).write(what, error);
}

/** Logs a warning that clients can cause as often as they like; `about` names its kind, by which the log is limited. */
export function logWarning(logger: Logger, about: string, text: string): void {
  logOf(logger).warn(about, text);
}

function logOf(logger: Logger): FailureLog {
  let log = logs.get(logger);
  if (log === undefined) {
    log = new FailureLog(logger);
    logs.set(logger, log);
  }
  return log;
}

/** Clock and timer of a log; the real timers do not keep the process alive. */
export interface LogClock {
  now(): number;
  after(delayMs: number, run: () => void): unknown;
}

const WINDOW_MS = 60_000;
/** Failures of one owner that are logged in full per minute. */
const MAX_SHOWN = 20;
/** Above that limit, the first failure of each message is logged, up to this number of different messages. */
const MAX_KINDS = 20;
/** Owners with a limit of their own per minute; all further owners share one limit. */
const MAX_OWNERS = 256;
const OTHERS = 'Something else failed';
/** Length of the prefix by which messages are compared; numbers are ignored. */
const KIND_LENGTH = 128;

const timers: LogClock = {
  now: () => performance.now(),
  after: (delayMs, run) => setTimeout(run, delayMs).unref(),
};

interface Tally {
  readonly log: typeof logError | typeof warn;
  shown: number;
  omitted: number;
  readonly kinds: Set<string>;
}

/**
 * Logs failures up to a limit per owner and minute, and then the number of omitted ones, since clients decide how often
 * something fails. The limit is per owner, so that one owner cannot hide the failures of another.
 */
export class FailureLog {
  private tallies = new Map<string, Tally>();
  private windowEndsAt = Number.NEGATIVE_INFINITY;
  private isWaiting = false;

  constructor(
    private readonly logger: Logger,
    private readonly clock: LogClock = timers,
  ) {}

  write(owner: string, error: unknown, reference?: string): void {
    const message = messageOf(error);
    if (!this.mayShow(owner, kindOf(message), logError)) return;
    const mark = reference === undefined ? '' : ` [${reference}]`;
    logError(this.logger, `${owner}${mark}: ${message}`, stackOf(error));
  }

  /** Logs a warning that clients can cause as often as they like. */
  warn(about: string, text: string): void {
    if (this.mayShow(about, '', warn)) warn(this.logger, text);
  }

  private mayShow(owner: string, kind: string, log: Tally['log']): boolean {
    if (this.clock.now() >= this.windowEndsAt) this.beginWindow();
    const tally = this.tallyOf(owner, log);
    if (tally.shown < MAX_SHOWN || (!tally.kinds.has(kind) && tally.kinds.size < MAX_KINDS)) {
      tally.shown += 1;
      if (tally.kinds.size < MAX_KINDS) tally.kinds.add(kind);
      return true;
    }
    tally.omitted += 1;
    this.waitForEnd();
    return false;
  }

  private tallyOf(owner: string, log: Tally['log']): Tally {
    const name = this.tallies.has(owner) || this.tallies.size < MAX_OWNERS ? owner : OTHERS;
    let tally = this.tallies.get(name);
    if (tally === undefined) {
      tally = { log, shown: 0, omitted: 0, kinds: new Set() };
      this.tallies.set(name, tally);
    }
    return tally;
  }

  private beginWindow(): void {
    this.logOmitted();
    this.windowEndsAt = this.clock.now() + WINDOW_MS;
  }

  /** Schedules the count of omitted failures, so that it is logged even if there are no further failures. */
  private waitForEnd(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.clock.after(Math.ceil(this.windowEndsAt - this.clock.now()), () => {
      this.isWaiting = false;
      // The timer may have fired early, or another window may have begun.
      if (this.clock.now() < this.windowEndsAt) this.waitForEnd();
      else this.logOmitted();
    });
  }

  private logOmitted(): void {
    const before = this.tallies;
    this.tallies = new Map();
    this.windowEndsAt = Number.NEGATIVE_INFINITY;
    for (const [owner, { omitted, log }] of before) {
      if (omitted > 0) log(this.logger, `${owner}: ${omitted} more times within a minute, which are not shown`);
    }
  }
}

function kindOf(message: string): string {
  return message.slice(0, KIND_LENGTH).replace(/\d+/g, '#');
}

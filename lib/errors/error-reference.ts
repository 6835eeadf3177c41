import { randomUUID } from 'node:crypto';

import type { Logger } from '@nestjs/common';

import { FailureLog } from './failure.log.js';

/** One for each logger, for as long as that lives. */
const logs = new WeakMap<Logger, FailureLog>();

/** Logs an error with its stack, and returns the reference by which a client can ask about it. Never throws. */
export function logWithReference(logger: Logger, what: string, error: unknown): string {
  const reference = randomUUID();
  logOf(logger).write(what, error, reference);
  return reference;
}

/** The same where nobody gets an answer. */
export function logFailure(logger: Logger, what: string, error: unknown): void {
  logOf(logger).write(what, error);
}

/** For what is no failure, and clients can bring about as often as they like; `about` tells its kind. */
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

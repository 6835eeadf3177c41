import { randomUUID } from 'node:crypto';

import type { Logger } from '@nestjs/common';

/** Logs an error with its stack, and returns the reference by which a client can ask about it. */
export function logWithReference(logger: Logger, what: string, error: unknown): string {
  const reference = randomUUID();
  const { message, stack } = (error ?? {}) as { message?: unknown; stack?: unknown };
  const summary = typeof message === 'string' ? message : typeof error === 'string' ? error : typeof error;
  logger.error(`${what} [${reference}]: ${summary}`, typeof stack === 'string' ? stack : undefined);
  return reference;
}

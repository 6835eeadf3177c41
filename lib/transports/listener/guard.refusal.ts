import { ForbiddenException, type Logger } from '@nestjs/common';

import { logWithReference } from '../../errors/failure.log.js';
import { isHttpError, type HttpError } from '../../errors/http-error.js';
import type { Refusal } from '../../wire/exchange.js';

const LEAST_STATUS = 400;
const MOST_STATUS = 599;

/** For a guard that says no without a reason, in the words of Nest. */
export const refuseUnexplained = (): Refusal => explained(new ForbiddenException('Forbidden resource'));

/** What Nest would answer for what a guard has thrown; details of unknown errors stay in the log. */
export function refuseThrown(error: unknown, logger: Logger): Refusal {
  const refusal = explain(error);
  if (refusal !== undefined) return refusal;
  logWithReference(logger, 'A guard of the listener failed', error);
  return { status: 500, body: JSON.stringify({ statusCode: 500, message: 'Internal server error' }) };
}

/** An exception that cannot be read, or whose body cannot be written, is a fault of the guard like any other. */
function explain(error: unknown): Refusal | undefined {
  try {
    return isHttpRefusal(error) ? explained(error) : undefined;
  } catch {
    return undefined;
  }
}

function explained(error: HttpError): Refusal {
  const status = error.getStatus();
  const response = error.getResponse();
  const body = typeof response === 'object' && response !== null ? response : { statusCode: status, message: response };
  return { status, body: JSON.stringify(body) };
}

/** Whether it can be the answer to a request. May throw where the error does. */
export function isHttpRefusal(error: unknown): error is HttpError {
  if (!isHttpError(error)) return false;
  const status: unknown = error.getStatus();
  // Node writes no other, and an exception that came up with one is no refusal.
  return Number.isInteger(status) && (status as number) >= LEAST_STATUS && (status as number) <= MOST_STATUS;
}

import { ForbiddenException, type Logger } from '@nestjs/common';

import { logWithReference } from '../../errors/failure.log.js';
import { isHttpError, type HttpError } from '../../errors/http-error.js';
import type { Refusal } from '../../wire/exchange.js';

const LEAST_STATUS = 400;
const MOST_STATUS = 599;

/** The refusal for a guard that returns `false`, with the text of Nest. */
export const refuseUnexplained = (): Refusal => explained(new ForbiddenException('Forbidden resource'));

/** The answer that Nest would give for an error of a guard; details of unknown errors are only logged. */
export function refuseThrown(error: unknown, logger: Logger): Refusal {
  const refusal = explain(error);
  if (refusal !== undefined) return refusal;
  logWithReference(logger, 'A guard of the listener failed', error);
  return { status: 500, body: JSON.stringify({ statusCode: 500, message: 'Internal server error' }) };
}

/** An exception that cannot be read or encoded is handled like an unknown error. */
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

/** Whether the error can be sent as an answer. Throws if reading the error throws. */
export function isHttpRefusal(error: unknown): error is HttpError {
  if (!isHttpError(error)) return false;
  const status: unknown = error.getStatus();
  // Node accepts no other statuses, and only 4xx and 5xx are refusals.
  return Number.isInteger(status) && (status as number) >= LEAST_STATUS && (status as number) <= MOST_STATUS;
}

import { Injectable, Logger } from '@nestjs/common';

import { logWithReference } from '../errors/failure.log.js';
import { isHttpError, wordsOf, type HttpError } from '../errors/http-error.js';
import { messageOf } from '../errors/log-line.js';
import { InvalidArgumentsError } from '../errors/invalid-arguments.error.js';
import { McpProtocolError } from '../errors/mcp-protocol.error.js';
import { UnsafePathError } from '../errors/unsafe-path.error.js';
import { HeaderMismatchError } from './handlers/parameter-headers.check.js';
import type { Fault } from '../model/fault.js';

/** Meaning of a thrown value for the client. */
export type Thrown =
  | { readonly kind: 'protocol'; readonly fault: Fault }
  /** The model may read the message and act on it. */
  | { readonly kind: 'explained'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown' };

/** Statuses of HTTP exceptions that an app throws. */
const NOT_FOUND = 404;
const TOO_MANY = 429;

const UNKNOWN: Thrown = Object.freeze({ kind: 'unknown' });

/** An error that cannot be read, such as a proxy or one with a throwing getter, is classified as unknown. */
export function classify(error: unknown): Thrown {
  try {
    return read(error);
  } catch {
    return UNKNOWN;
  }
}

function read(error: unknown): Thrown {
  if (McpProtocolError.is(error)) {
    return {
      kind: 'protocol',
      fault: { kind: 'protocol', code: error.rpcCode, message: error.message, data: error.data },
    };
  }
  if (error instanceof HeaderMismatchError) return { kind: 'protocol', fault: error.fault };
  // Its message contains neither the value nor the root; for the client no resource exists at such a path.
  if (UnsafePathError.is(error)) return { kind: 'explained', status: NOT_FOUND, message: error.message };
  if (!isHttpError(error)) return UNKNOWN;
  const status: unknown = error.getStatus();
  return typeof status === 'number' && status < 500
    ? { kind: 'explained', status, message: explanationOf(error) }
    : UNKNOWN;
}

function explanationOf(error: HttpError): string {
  if (error instanceof InvalidArgumentsError) return error.message;
  return wordsOf(error) ?? messageOf(error);
}

/** Finds the refusal in an error of a guard: a 401 or 403; `undefined` for other errors. */
export function findRefusal(error: unknown): Fault | undefined {
  try {
    if (!isHttpError(error)) return undefined;
    const kind = REFUSALS.get(error.getStatus());
    return kind === undefined ? undefined : { kind, message: explanationOf(error), ...detailsOf(error) };
  } catch {
    // An unreadable error counts as a failure of the guard.
    return undefined;
  }
}

const REFUSALS: ReadonlyMap<number, 'unauthenticated' | 'forbidden'> = new Map([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
]);

/** The members that an app has added to the body of a Nest exception. */
function detailsOf(error: HttpError): { readonly data?: unknown } {
  const response = error.getResponse();
  if (typeof response !== 'object' || response === null) return {};
  const { message: _message, error: _error, statusCode: _status, ...data } = response as Record<string, unknown>;
  return Object.keys(data).length === 0 ? {} : { data };
}

/** Converts errors of handlers to faults; details of unknown errors are only logged. */
@Injectable()
export class FaultMapper {
  private readonly logger = new Logger('McpHandler');

  /** Logs the error once and gives the client a reference to it. */
  hide(error: unknown, owner: string): Fault {
    const reference = logWithReference(this.logger, `${owner} failed`, error);
    return { kind: 'internal', reference };
  }

  /** Converts an error for operations whose result cannot contain an error. */
  toFault(error: unknown, owner: string): Fault {
    const thrown = classify(error);
    if (thrown.kind === 'protocol') return thrown.fault;
    if (thrown.kind === 'unknown') return this.hide(error, owner);
    if (thrown.status === 401 || thrown.status === 403) return { kind: 'refused', message: thrown.message };
    if (thrown.status === TOO_MANY) return { kind: 'too-many-calls', message: thrown.message };
    return { kind: 'invalid-params', message: thrown.message };
  }
}

import { McpProtocolError } from '../../errors/mcp-protocol.error.js';
import type { Fault } from '../../model/fault.js';
import { isHttpError, type HttpError } from '../listener/guard.refusal.js';

/** What the client hears of an interceptor that has thrown. */
export interface InterceptorFailure {
  readonly fault: Fault;
  /** HTTP status; left out where the fault has one of its own. */
  readonly status?: number;
}

const UNKNOWN_STATUS = 500;

/** Exceptions of HTTP below 500 explain themselves; anything else stays in the log, and `hide` gives the reference to it. */
export function failureOf(error: unknown, hide: () => string): InterceptorFailure {
  if (McpProtocolError.is(error)) {
    return { fault: { kind: 'protocol', code: error.rpcCode, message: error.message, data: error.data } };
  }
  const status = isHttpError(error) ? error.getStatus() : UNKNOWN_STATUS;
  if (!isHttpError(error) || status >= UNKNOWN_STATUS) {
    return { fault: { kind: 'internal', reference: hide() }, status };
  }
  const message = messageOf(error);
  if (status === 401) return { fault: { kind: 'unauthenticated', message }, status };
  if (status === 403) return { fault: { kind: 'forbidden', message }, status };
  return { fault: { kind: 'protocol', code: status, message }, status };
}

function messageOf(error: HttpError): string {
  const response = error.getResponse();
  const message =
    typeof response === 'object' && response !== null ? (response as { message?: unknown }).message : response;
  if (Array.isArray(message)) return message.filter((line) => typeof line === 'string').join('; ');
  return typeof message === 'string' ? message : 'The request was refused';
}

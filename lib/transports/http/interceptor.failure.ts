import { wordsOf } from '../../errors/http-error.js';
import { McpProtocolError } from '../../errors/mcp-protocol.error.js';
import type { Fault } from '../../model/fault.js';
import { isHttpRefusal } from '../listener/guard.refusal.js';

/** What the client hears of an interceptor that has thrown. */
export interface InterceptorFailure {
  readonly fault: Fault;
  /** HTTP status; left out where the fault has one of its own. */
  readonly status?: number;
}

const UNKNOWN_STATUS = 500;

/** Exceptions of HTTP below 500 explain themselves; anything else stays in the log, and `hide` gives the reference to it. */
export function failureOf(error: unknown, hide: () => string): InterceptorFailure {
  const failure = explain(error);
  return typeof failure === 'number' ? { fault: { kind: 'internal', reference: hide() }, status: failure } : failure;
}

/** The status alone for what has to stay inside, which is also what cannot be read. */
function explain(error: unknown): InterceptorFailure | number {
  try {
    if (McpProtocolError.is(error)) {
      return { fault: { kind: 'protocol', code: error.rpcCode, message: error.message, data: error.data } };
    }
    if (!isHttpRefusal(error)) return UNKNOWN_STATUS;
    const status = error.getStatus();
    if (status >= UNKNOWN_STATUS) return status;
    const message = wordsOf(error) ?? 'The request was refused';
    if (status === 401) return { fault: { kind: 'unauthenticated', message }, status };
    if (status === 403) return { fault: { kind: 'forbidden', message }, status };
    return { fault: { kind: 'protocol', code: status, message }, status };
  } catch {
    return UNKNOWN_STATUS;
  }
}

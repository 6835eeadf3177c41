import type { Refusal } from './exchange.js';
import { INTERNAL_ERROR, INVALID_REQUEST } from './json-rpc.js';
import { encodeError } from './json-rpc.codec.js';

/** Creates a refusal whose body is a JSON-RPC error without an id. */
export function refuse(status: number, message: string, extras: Partial<Refusal> & { code?: number } = {}): Refusal {
  const { code = INVALID_REQUEST, headers, closeConnection, unawaited } = extras;
  return {
    status,
    body: encodeError(undefined, { code, message }),
    ...(headers === undefined ? {} : { headers }),
    ...(closeConnection === undefined ? {} : { closeConnection }),
    ...(unawaited === undefined ? {} : { unawaited }),
  };
}

/** Refuses a request because the server is at its limit; the body is not read to its end. */
export function refuseAsBusy(message: string): Refusal {
  return refuse(503, message, { code: INTERNAL_ERROR, headers: { 'retry-after': '1' }, closeConnection: true });
}

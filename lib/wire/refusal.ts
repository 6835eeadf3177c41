import type { Refusal } from './exchange.js';
import { INTERNAL_ERROR, INVALID_REQUEST } from './json-rpc.js';
import { encodeError } from './json-rpc.codec.js';

/** A refusal whose body is a JSON-RPC error without an id. */
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

/** For a request that there is no room for now; it is not read to its end. */
export function refuseBusy(message: string): Refusal {
  return refuse(503, message, { code: INTERNAL_ERROR, headers: { 'retry-after': '1' }, closeConnection: true });
}

import type { ExchangeHead, Refusal } from '../wire/exchange.js';
import { INVALID_REQUEST } from '../wire/json-rpc.js';
import { encodeError } from '../wire/json-rpc.encoder.js';

/** Looks at the head of a request; `undefined` lets it pass. */
export interface AdmissionCheck {
  check(head: ExchangeHead): Refusal | undefined;
}

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

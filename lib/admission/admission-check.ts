import type { ExchangeHead, Refusal } from '../wire/exchange.js';

/** Looks at the head of a request; `undefined` lets it pass. */
export interface AdmissionCheck {
  check(head: ExchangeHead): Refusal | undefined;
}

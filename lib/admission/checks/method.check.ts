import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { refuse } from '../../wire/refusal.js';
import type { AdmissionCheck } from '../admission-check.js';

/** This endpoint takes POST alone: streams and sessions of older revisions live nowhere here. */
export class MethodCheck implements AdmissionCheck {
  check({ method }: ExchangeHead): Refusal | undefined {
    return method === 'POST'
      ? undefined
      : refuse(405, 'Method not allowed; send a POST', { headers: { allow: 'POST' } });
  }
}

import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { refuse } from '../../wire/refusal.js';
import type { AdmissionCheck } from '../admission-check.js';
import type { HostList } from '../host-list.js';

/** Stops pages of other sites, and DNS rebinding with them; callers that are no browsers send no Origin. */
export class OriginCheck implements AdmissionCheck {
  constructor(
    private readonly allowed: HostList,
    private readonly option: string,
  ) {}

  check({ headers }: ExchangeHead): Refusal | undefined {
    const origin = headers['origin'];
    if (origin === undefined) return undefined;
    if (typeof origin === 'string' && this.allowed.hasOrigin(origin)) return undefined;
    return refuse(403, `Origin not allowed; list it in the option ${this.option}.allowedOrigins`);
  }
}

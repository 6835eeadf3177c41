import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { countHeader } from '../../wire/header-lines.js';
import { refuse } from '../../wire/refusal.js';
import type { AdmissionCheck } from '../admission-check.js';
import type { HostList } from '../host-list.js';

/** Off unless hosts are listed, since proxies forward public names. */
export class HostCheck implements AdmissionCheck {
  constructor(
    private readonly allowed: HostList | undefined,
    private readonly option: string,
  ) {}

  check({ headers, rawHeaders }: ExchangeHead): Refusal | undefined {
    if (this.allowed === undefined) return undefined;
    const host = headers['host'] ?? headers[':authority'];
    if (typeof host === 'string' && countHeader(rawHeaders, 'host') <= 1 && this.allowed.hasHost(host))
      return undefined;
    return refuse(403, `Host not allowed; list it in the option ${this.option}.allowedHosts`);
  }
}

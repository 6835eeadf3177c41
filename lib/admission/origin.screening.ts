import type { ExchangeHead, Refusal } from '../wire/exchange.js';
import { countHeader } from '../wire/headers.js';
import { refuse } from '../wire/refusal.js';
import type { AdmissionOptions } from './admission-options.interface.js';
import { HostList } from './host-list.js';

/** Checks Origin, Host and method of requests to one endpoint; refusals name the option of that endpoint. */
export class OriginScreening {
  private readonly origins: HostList;
  /** Absent unless hosts are listed, since proxies forward public names. */
  private readonly hosts: HostList | undefined;

  constructor(
    { allowedOrigins, allowedHosts }: AdmissionOptions,
    private readonly option = 'http',
  ) {
    this.origins = new HostList(allowedOrigins);
    this.hosts = allowedHosts === undefined ? undefined : new HostList(allowedHosts);
  }

  /** Origin and Host, then the method; needs only the request head, so it can run before any code of the app. */
  screen(head: ExchangeHead): Refusal | undefined {
    return this.refuseOrigin(head) ?? this.refuseHost(head) ?? refuseMethod(head);
  }

  /** Refuses pages of other sites, and with them DNS rebinding; clients other than browsers send no Origin. */
  private refuseOrigin({ headers }: ExchangeHead): Refusal | undefined {
    const origin = headers['origin'];
    if (origin === undefined) return undefined;
    if (typeof origin === 'string' && this.origins.hasOrigin(origin)) return undefined;
    return refuse(403, `Origin not allowed; list it in the option ${this.option}.allowedOrigins`);
  }

  private refuseHost({ headers, rawHeaders }: ExchangeHead): Refusal | undefined {
    if (this.hosts === undefined) return undefined;
    const host = headers['host'] ?? headers[':authority'];
    if (typeof host === 'string' && countHeader(rawHeaders, 'host') <= 1 && this.hosts.hasHost(host)) return undefined;
    return refuse(403, `Host not allowed; list it in the option ${this.option}.allowedHosts`);
  }
}

/** This endpoint accepts POST alone: it has no streams or sessions of older revisions. */
function refuseMethod({ method }: ExchangeHead): Refusal | undefined {
  return method === 'POST' ? undefined : refuse(405, 'Method not allowed; send a POST', { headers: { allow: 'POST' } });
}

import { parse } from 'node:querystring';

import type { Caller } from '../../model/peer.js';
import type { BodyBudget } from '../../exchange/body-budget.js';
import type { BodyReading, Exchange, ExchangeHead } from '../../wire/exchange.js';
import { StandInRequest, type StandInPlace } from '../in-process/stand-in-request.js';
import { StandInResponse } from '../in-process/stand-in-response.js';
import { authProperties, ownProperty, type TrustedProperties } from '../trusted-properties.js';
import { readWebBody, type WebBodyLimits } from './web.body.js';

/** What the host of a request knows of it. */
export interface WebCaller {
  /** Who calls, as a guard would have left it. */
  readonly auth?: unknown;
  /** Other properties of the request that guards see. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Where the client is: an IP address without a port. */
  readonly address?: string | undefined;
}

export interface WebExchangeParts {
  readonly properties: TrustedProperties;
  readonly limits: WebBodyLimits;
  readonly budget: BodyBudget;
}

/** All clients of whom a host says nothing: one for each request would let any of them have all there is. */
const STRANGERS = Object.freeze({});

/** One web-standard request; it is its own caller. */
export class WebExchange implements Exchange, Caller {
  readonly head: ExchangeHead;
  readonly isStandIn = true;
  readonly request: StandInRequest;
  readonly response = new StandInResponse();
  readonly address: string | undefined;

  constructor(
    readonly actual: Request,
    caller: WebCaller,
    private readonly parts: WebExchangeParts,
  ) {
    const { headers, method } = actual;
    const url = new URL(actual.url);
    const fields: Record<string, string> = Object.fromEntries(headers);
    // What Node puts into a header stands in the URL here.
    const host = (fields['host'] ??= url.host);
    const properties = { ...caller.request, ...authProperties(parts.properties, caller.auth) };
    this.address = typeof caller.address === 'string' ? caller.address : undefined;
    this.request = new StandInRequest({ headers: fields, properties }, placeOf(url, host, this.address));
    this.head = {
      method,
      headers: fields,
      rawHeaders: Object.entries(fields).flat(),
      contentType: headers.get('content-type') ?? undefined,
    };
  }

  get caller(): Caller {
    return this;
  }

  /** A request of this kind has none; its address stands for it, or nothing does. */
  get connection(): object | undefined {
    return this.address === undefined ? STRANGERS : undefined;
  }

  auth(): unknown {
    return this.trusted(this.parts.properties.auth);
  }

  cancellationScope(): unknown {
    return this.trusted(this.parts.properties.cancellationScope);
  }

  body(): Promise<BodyReading> {
    const { limits, budget } = this.parts;
    return readWebBody(this.actual, limits, { budget, caller: this });
  }

  /** Middleware of the host may have set it on the request that it had. */
  private trusted(property: string): unknown {
    return ownProperty(this.request, property) ?? ownProperty(this.actual, property);
  }
}

/** What frameworks of Node would say of the same request. */
function placeOf({ pathname, search, protocol }: URL, host: string, address: string | undefined): StandInPlace {
  const [hostname = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(host) ?? [];
  return {
    url: pathname + search,
    path: pathname,
    query: parse(search.slice(1)),
    protocol: protocol.slice(0, -1),
    hostname,
    address,
  };
}

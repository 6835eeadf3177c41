import { parse } from 'node:querystring';

import type { Caller } from '../../model/peer.js';
import type { BodyBudget } from '../../server/body-budget.js';
import type { BodyReading, Exchange, ExchangeHead } from '../../wire/exchange.js';
import { StandInRequest, type StandInPlace } from '../in-process/stand-in-request.js';
import { StandInResponse } from '../in-process/stand-in-response.js';
import { authProperties, ownProperty, type TrustedProperties } from '../trusted-properties.js';
import { readWebBody, type WebBodyLimits } from './web.body.js';

/** Properties of a request that its host provides. */
export interface WebCaller {
  /** The authentication, as a guard would store it. */
  readonly auth?: unknown;
  /** Other properties of the request that guards see. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** IP address of the client, without a port. */
  readonly address?: string | undefined;
}

export interface WebExchangeSettings {
  readonly properties: TrustedProperties;
  readonly limits: WebBodyLimits;
  readonly budget: BodyBudget;
}

/** One key for all clients without an address: a key for each request would disable the limits per caller. */
const WITHOUT_ADDRESS = Object.freeze({});

/** One web-standard request as an exchange, which also identifies its caller. */
export class WebExchange implements Exchange, Caller {
  readonly head: ExchangeHead;
  readonly isStandIn = true;
  readonly request: StandInRequest;
  readonly response = new StandInResponse();
  readonly address: string | undefined;

  constructor(
    readonly actual: Request,
    caller: WebCaller,
    private readonly parts: WebExchangeSettings,
  ) {
    const { headers, method } = actual;
    const url = new URL(actual.url);
    const fields: Record<string, string> = Object.fromEntries(headers);
    // The Host is part of the URL in a web-standard request.
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

  /** A web-standard request has no connection; its address is used, if known. */
  get connection(): object | undefined {
    return this.address === undefined ? WITHOUT_ADDRESS : undefined;
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

  /** Middleware of the host may have set the property on its request. */
  private trusted(property: string): unknown {
    return ownProperty(this.request, property) ?? ownProperty(this.actual, property);
  }
}

/** Properties that Node frameworks provide for the same request. */
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

import type { Caller } from '../../model/peer.js';
import type { BodyReading, Exchange, ExchangeHead } from '../../wire/exchange.js';
import { StandInRequest } from '../in-process/stand-in-request.js';
import { StandInResponse } from '../in-process/stand-in-response.js';
import { authProperties, ownProperty, type TrustedProperties } from '../trusted-properties.js';
import { readWebBody, type WebBodyLimits } from './web.body.js';

/** What the host of a request knows of it. */
export interface WebCaller {
  /** Who calls, as a guard would have left it. */
  readonly auth?: unknown;
  /** Other properties of the request that guards see. */
  readonly request?: Readonly<Record<string, unknown>>;
}

export interface WebExchangeParts {
  readonly properties: TrustedProperties;
  readonly limits: WebBodyLimits;
}

/** One web-standard request; it is its own caller. */
export class WebExchange implements Exchange, Caller {
  readonly head: ExchangeHead;
  readonly isStandIn = true;
  readonly request: StandInRequest;
  readonly response = new StandInResponse();

  constructor(
    readonly actual: Request,
    caller: WebCaller,
    private readonly parts: WebExchangeParts,
  ) {
    const { headers, method, url } = actual;
    const fields = Object.fromEntries(headers);
    // What Node puts into a header stands in the URL here.
    fields['host'] ??= new URL(url).host;
    const properties = { ...caller.request, ...authProperties(parts.properties, caller.auth) };
    this.request = new StandInRequest({ headers: fields, properties }, url);
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

  /** Nobody knows more of a caller that nobody knows. */
  get connection(): object {
    return this;
  }

  auth(): unknown {
    return this.trusted(this.parts.properties.auth);
  }

  cancellationScope(): unknown {
    return this.trusted(this.parts.properties.cancellationScope);
  }

  body(): Promise<BodyReading> {
    return readWebBody(this.actual, this.parts.limits);
  }

  /** Middleware of the host may have set it on the request that it had. */
  private trusted(property: string): unknown {
    return ownProperty(this.request, property) ?? ownProperty(this.actual, property);
  }
}

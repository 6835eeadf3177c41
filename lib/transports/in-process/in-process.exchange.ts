import type { Caller } from '../../model/peer.js';
import type { BodyReading, Exchange } from '../../wire/exchange.js';
import { ownProperty, type TrustedProperties } from '../trusted-properties.js';
import { StandInRequest, type StandInParts } from './stand-in-request.js';
import { StandInResponse } from './stand-in-response.js';

/** One message of a caller within the process; it is its own caller. */
export class InProcessExchange implements Exchange, Caller {
  readonly isStandIn = true;
  readonly request: StandInRequest;
  readonly response = new StandInResponse();

  constructor(
    private readonly text: string,
    parts: StandInParts,
    private readonly properties: TrustedProperties,
    /** Stands for a caller that nobody knows. */
    readonly connection: object,
  ) {
    this.request = new StandInRequest(parts);
  }

  get caller(): Caller {
    return this;
  }

  /** A guard of a component may set it, as over HTTP. */
  auth(): unknown {
    return ownProperty(this.request, this.properties.auth);
  }

  cancellationScope(): unknown {
    return ownProperty(this.request, this.properties.cancellationScope);
  }

  body(): BodyReading {
    return { ok: true, bytes: this.text };
  }
}

import type { IncomingMessage } from 'node:http';

import { Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';

import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared } from '../../server/prepared.js';
import type { BodyReader } from '../node-http/body.reader.js';
import {
  headOf,
  isMultiplexed,
  leaveNotes,
  notesOf,
  type RequestNotes,
  type RouteNotes,
  refuseFraming,
} from '../node-http/http-request.js';
import type { HttpPlatform } from '../node-http/http-platform.js';
import type { TrustedProperties } from '../trusted-properties.js';
import type { ConsumedBodyAlarm } from './consumed-body.alarm.js';
import { HttpAdmission, keepConnection, HttpExchange } from './http.exchange.js';
import { RefusedExchange } from './route.filter.js';
import type { RouteWatch } from './route.watch.js';

/** The last guard of the route: admits the exchange and stores the result on the request. */
export class AdmissionGuard implements CanActivate {
  private readonly admission: HttpAdmission;

  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly bodies: BodyReader,
    private readonly platform: () => HttpPlatform,
    private readonly properties: TrustedProperties,
    private readonly consumed: ConsumedBodyAlarm,
    private readonly watch: RouteWatch,
  ) {
    this.admission = new HttpAdmission(exchanges, new Logger(AdmissionGuard.name));
  }

  canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    const http = context.switchToHttp();
    const request: unknown = http.getRequest();
    const response: unknown = http.getResponse();
    const raw = this.platform().rawRequest(request);
    const notes = notesOf(raw) ?? this.meet(raw, response);
    // The request was answered already; the filter of the endpoint ignores it.
    if (!this.watch.guarded(notes)) return false;
    // Without earlier guards this still runs inside Node's parser, which delivers the body only after it returns.
    if (raw.readableLength === 0 && !raw.readableEnded) {
      return Promise.resolve().then(() => this.admit(request, response, raw, notes));
    }
    return this.admit(request, response, raw, notes);
  }

  private admit(request: unknown, response: unknown, raw: IncomingMessage, notes: RouteNotes): Promise<true> | true {
    const platform = this.platform();
    const { bodies, properties, consumed } = this;
    const exchange = new HttpExchange(request, response, raw, unmask(raw, notes), {
      platform,
      bodies,
      properties,
      consumed,
    });
    return this.admission.admit(exchange, (prepared) => {
      keepConnection(platform.rawResponse(response), notes, prepared);
      return this.letIn(notes, prepared);
    });
  }

  /** A router may accept more paths for this endpoint than the early screening does. */
  private meet(raw: IncomingMessage, response: unknown): RouteNotes {
    const head = headOf(raw, raw.headers);
    const isShared = isMultiplexed(raw);
    const refusal = this.exchanges.observedRefusal(isShared ? undefined : refuseFraming(raw, head));
    if (refusal !== undefined) throw new RefusedExchange(refusal);
    return leaveNotes(raw, response, { head, isMultiplexed: isShared, screened: false });
  }

  /** A refusal is thrown to the filter of the endpoint; everything else goes to the controller. */
  private letIn(notes: RouteNotes, prepared: Prepared): true {
    if (prepared.kind === 'refused') throw new RefusedExchange(prepared.refusal);
    this.watch.admitted(notes, prepared);
    return true;
  }
}

/** Code of the app sees the content type that the client sent, and the endpoint sees headers that the app has replaced. */
function unmask(raw: IncomingMessage, notes: RouteNotes): RequestNotes {
  const { headers } = raw;
  const { head } = notes;
  if (head.contentType === undefined) delete headers['content-type'];
  else headers['content-type'] = head.contentType;
  return headers === head.headers ? notes : { ...notes, head: { ...head, headers } };
}

import type { IncomingMessage } from 'node:http';

import { Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';

import { logWithReference } from '../../errors/error-reference.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared } from '../../server/prepared.js';
import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { encodeError } from '../../wire/json-rpc.encoder.js';
import type { BodyReader } from '../node-http/body.reader.js';
import { leaveNotes, notesOf, type RequestNotes } from '../node-http/http-request.js';
import type { HttpPlatform } from '../platforms/http-platform.js';
import type { TrustedProperties } from '../trusted-properties.js';
import type { ConsumedBodyAlarm } from './consumed-body.alarm.js';
import { HttpExchange } from './http.exchange.js';
import { RefusedExchange } from './refusal.filter.js';

/** The last guard before the endpoint: admits the exchange and leaves it on the request. */
export class AdmissionGuard implements CanActivate {
  private readonly logger = new Logger(AdmissionGuard.name);

  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly bodies: BodyReader,
    private readonly platform: () => HttpPlatform,
    private readonly properties: TrustedProperties,
    private readonly consumed: ConsumedBodyAlarm,
  ) {}

  canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    const http = context.switchToHttp();
    const request: unknown = http.getRequest();
    const raw = this.platform().rawRequest(request);
    // Without a guard in front this still runs inside the parser, which hands out the body only when it returns.
    if (raw.readableLength === 0 && !raw.readableEnded) {
      return Promise.resolve().then(() => this.admit(request, http.getResponse(), raw));
    }
    return this.admit(request, http.getResponse(), raw);
  }

  private admit(request: unknown, response: unknown, raw: IncomingMessage): Promise<true> | true {
    const platform = this.platform();
    const notes = notesOf(raw) ?? leaveNotes(raw, { contentType: raw.headers['content-type'], screened: false });
    unmask(raw, notes);
    const { bodies, properties, consumed } = this;
    const parts = { platform, bodies, properties, consumed };
    const prepared = this.prepare(new HttpExchange(request, response, raw, notes, parts));
    const enter = (settled: Prepared): true => {
      const unread = settled.kind === 'refused' && settled.refusal.closeConnection === true;
      if (notes.keepsAlive === true && !unread) platform.rawResponse(response).shouldKeepAlive = true;
      return letIn(notes, settled);
    };
    if (!(prepared instanceof Promise)) return enter(prepared);
    return prepared.then(enter, (error: unknown) => enter(this.fail(error)));
  }

  private prepare(exchange: HttpExchange): Promise<Prepared> | Prepared {
    try {
      return this.exchanges.prepare(exchange);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Only a fault of this library gets here. */
  private fail(error: unknown): Prepared {
    const reference = logWithReference(this.logger, 'A request could not be admitted', error);
    const body = encodeError(undefined, { code: INTERNAL_ERROR, message: 'Internal error', data: { reference } });
    return { kind: 'refused', refusal: { status: 500, body, closeConnection: true } };
  }
}

/** Refusals leave by the endpoint's filter; everything else goes on to the controller. */
function letIn(notes: RequestNotes, prepared: Prepared): true {
  if (prepared.kind === 'refused') throw new RefusedExchange(prepared.refusal);
  if (prepared.kind === 'faulty') {
    throw new RefusedExchange({ status: prepared.answer.status, body: prepared.answer.json });
  }
  notes.prepared = prepared;
  return true;
}

/** Users' code sees the content type that the client sent. */
function unmask(raw: IncomingMessage, { contentType }: RequestNotes): void {
  if (contentType === undefined) delete raw.headers['content-type'];
  else raw.headers['content-type'] = contentType;
}

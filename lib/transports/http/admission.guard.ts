import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';

import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared } from '../../server/prepared.js';
import type { BodyReading, Exchange } from '../../wire/exchange.js';
import { encodeError } from '../../wire/json-rpc.encoder.js';
import type { BodyReader } from '../node-http/body.reader.js';
import { headOf, leaveNotes, notesOf, type RequestNotes } from '../node-http/http-request.js';
import type { HttpPlatform } from '../platforms/http-platform.js';
import { RefusedExchange } from './refusal.filter.js';

const INTERNAL_ERROR = -32603;

/** The last guard before the endpoint: admits the exchange and leaves it on the request. */
export class AdmissionGuard implements CanActivate {
  private readonly logger = new Logger(AdmissionGuard.name);

  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly bodies: BodyReader,
    private readonly platform: () => HttpPlatform,
    private readonly authProperty: string,
  ) {}

  canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    const http = context.switchToHttp();
    const request: unknown = http.getRequest();
    const platform = this.platform();
    const raw = platform.rawRequest(request);
    const notes = notesOf(raw) ?? leaveNotes(raw, { contentType: raw.headers['content-type'], screened: false });
    unmask(raw, notes);
    const accept = (prepared: Prepared): true => {
      const unread = prepared.kind === 'refused' && prepared.refusal.closeConnection === true;
      if (notes.keepsAlive === true && !unread) platform.rawResponse(http.getResponse()).shouldKeepAlive = true;
      return enter(notes, prepared);
    };
    const prepared = this.prepare(this.exchangeOf(request, http.getResponse(), notes));
    if (!(prepared instanceof Promise)) return accept(prepared);
    return prepared.then(accept, (error: unknown) => accept(this.fail(error)));
  }

  private prepare(exchange: Exchange): Promise<Prepared> | Prepared {
    try {
      return this.exchanges.prepare(exchange);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Only a fault of this library gets here. */
  private fail(error: unknown): Prepared {
    const reference = randomUUID();
    this.logger.error(`A request could not be admitted [${reference}]`, (error as { stack?: string } | null)?.stack);
    const body = encodeError(undefined, { code: INTERNAL_ERROR, message: 'Internal error', data: { reference } });
    return { kind: 'refused', refusal: { status: 500, body, closeConnection: true } };
  }

  private exchangeOf(request: unknown, response: unknown, notes: RequestNotes): Exchange {
    const raw = this.platform().rawRequest(request);
    return {
      head: headOf(raw, notes.contentType),
      screened: notes.screened,
      caller: { request, response, auth: () => this.authOf(request, raw) },
      body: () => (raw.readableEnded ? this.consumedBody(request) : this.bodies.read(raw)),
    };
  }

  /** Guards see the framework's request, middleware may see the raw one. */
  private authOf(request: unknown, raw: IncomingMessage): unknown {
    return ownProperty(request, this.authProperty) ?? ownProperty(raw, this.authProperty);
  }

  /** What the app's own middleware has read, where it was in front of us. */
  private consumedBody(request: unknown): BodyReading {
    const body = this.platform().consumedBody(request);
    if (body instanceof Uint8Array || typeof body === 'string') return { ok: true, bytes: body };
    return { ok: true, bytes: body === undefined ? '' : JSON.stringify(body) };
  }
}

/** Refusals leave by the endpoint's filter; everything else goes on to the controller. */
function enter(notes: RequestNotes, prepared: Prepared): true {
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

/** Only what code has set on this very object counts, nothing inherited. */
function ownProperty(request: unknown, property: string): unknown {
  return typeof request === 'object' && request !== null && Object.hasOwn(request, property)
    ? (request as Record<string, unknown>)[property]
    : undefined;
}

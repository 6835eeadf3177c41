import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';

import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared } from '../../server/prepared.js';
import type { BodyReading, Exchange } from '../../wire/exchange.js';
import { encodeError } from '../../wire/json-rpc.encoder.js';
import type { BodyReader } from './body.reader.js';
import { headOf, leaveNotes, notesOf, type RequestNotes } from './http-request.js';
import type { HttpPlatform } from './http-platform.js';
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

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request: unknown = http.getRequest();
    const raw = this.platform().rawRequest(request);
    const notes = notesOf(raw) ?? leaveNotes(raw, { contentType: raw.headers['content-type'], screened: false });
    unmask(raw, notes);
    const prepared = await this.prepare(this.exchangeOf(request, http.getResponse(), raw, notes));
    if (prepared.kind === 'refused') throw new RefusedExchange(prepared.refusal);
    if (prepared.kind === 'faulty') {
      throw new RefusedExchange({ status: prepared.answer.status, body: prepared.answer.json });
    }
    notes.prepared = prepared;
    return true;
  }

  private async prepare(exchange: Exchange): Promise<Prepared> {
    try {
      return await this.exchanges.prepare(exchange);
    } catch (error) {
      const reference = randomUUID();
      this.logger.error(`A request could not be admitted [${reference}]`, (error as { stack?: string } | null)?.stack);
      const body = encodeError(undefined, { code: INTERNAL_ERROR, message: 'Internal error', data: { reference } });
      return { kind: 'refused', refusal: { status: 500, body, closeConnection: true } };
    }
  }

  private exchangeOf(request: unknown, response: unknown, raw: IncomingMessage, notes: RequestNotes): Exchange {
    return {
      head: headOf(raw, notes.contentType),
      screened: notes.screened,
      caller: { request, response, auth: () => ownProperty(request, this.authProperty) },
      body: () => this.bodyOf(request, raw),
    };
  }

  /** Falls back to what the app's own middleware has read, where it was in front of us. */
  private async bodyOf(request: unknown, raw: IncomingMessage): Promise<BodyReading> {
    if (!raw.readableEnded) return this.bodies.read(raw);
    const body = this.platform().consumedBody(request);
    if (body instanceof Uint8Array || typeof body === 'string') return { ok: true, bytes: body };
    return { ok: true, bytes: body === undefined ? '' : JSON.stringify(body) };
  }
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

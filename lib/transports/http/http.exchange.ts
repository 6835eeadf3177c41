import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';

import type { Caller } from '../../model/peer.js';
import type { BodyReading, Exchange, ExchangeHead } from '../../wire/exchange.js';
import type { BodyReader } from '../node-http/body.reader.js';
import type { RequestNotes } from '../node-http/http-request.js';
import type { HttpPlatform } from '../node-http/http-platform.js';
import { ownProperty, type TrustedProperties } from '../trusted-properties.js';
import type { ConsumedBodyAlarm } from './consumed-body.alarm.js';
import { logWithReference } from '../../errors/failure.log.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared } from '../../server/prepared.js';
import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { encodeError } from '../../wire/json-rpc.codec.js';
import { endPipeline, isWaiting } from '../node-http/connection.js';

/** What an exchange needs from its endpoint. */
export interface EndpointParts {
  readonly platform: HttpPlatform;
  readonly bodies: BodyReader;
  /** Told where something of the app could have read the body before. */
  readonly consumed?: ConsumedBodyAlarm;
  readonly properties: TrustedProperties;
}

/** One HTTP request as the core sees it; it is its own caller. */
export class HttpExchange implements Exchange, Caller {
  readonly head: ExchangeHead;
  readonly screened: boolean;

  constructor(
    readonly request: unknown,
    readonly response: unknown,
    private readonly raw: IncomingMessage,
    private readonly notes: RequestNotes,
    private readonly endpoint: EndpointParts,
  ) {
    this.head = notes.head;
    this.screened = notes.screened;
  }

  get caller(): Caller {
    return this;
  }

  /** Guards see the framework's request, middleware may see the raw one. */
  auth(): unknown {
    return this.trusted(this.endpoint.properties.auth);
  }

  cancellationScope(): unknown {
    return this.trusted(this.endpoint.properties.cancellationScope);
  }

  /** Of HTTP/2 the session: each of its requests has a socket of its own, which only stands for that of the session. */
  get connection(): object {
    const { raw } = this;
    if (this.notes.isMultiplexed) {
      const { session } = (raw as IncomingMessage & { readonly stream: { readonly session?: object } }).stream;
      if (session !== undefined) return session;
    }
    // What stands in for a request may have no socket.
    const { socket }: { readonly socket?: object } = raw;
    return socket ?? raw;
  }

  /** As the framework or the app itself tells it, who know of proxies; else that of the connection. */
  get address(): string | undefined {
    const socket = this.raw.socket as Partial<Socket> | undefined;
    // Express would look for it there.
    if (socket === undefined) return undefined;
    const { ip } = this.request as { readonly ip?: unknown };
    return typeof ip === 'string' ? ip : socket.remoteAddress;
  }

  body(): Promise<BodyReading> | BodyReading {
    if (this.raw.readableEnded) return this.consumedBody();
    const { bodies, platform } = this.endpoint;
    return bodies.read(this.raw, platform.rawResponse(this.response), this);
  }

  private trusted(property: string): unknown {
    const value = ownProperty(this.request, property);
    return this.request === this.raw ? value : (value ?? ownProperty(this.raw, property));
  }

  /** What the app's own middleware has read, where it was in front of us. */
  private consumedBody(): BodyReading {
    this.endpoint.consumed?.raise(this.raw);
    const body = this.endpoint.platform.consumedBody(this.request);
    if (body instanceof Uint8Array || typeof body === 'string') return { ok: true, bytes: body };
    return { ok: true, bytes: body === undefined ? '' : JSON.stringify(body) };
  }
}

/** Admits exchanges that came over HTTP; whatever happens, there is something to answer. */
export class HttpAdmission {
  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly logger: Logger,
  ) {}

  /** Hands on what became of the exchange, at once where nothing has to be waited for. */
  admit<T>(exchange: Exchange, enter: (prepared: Prepared) => T): Promise<T> | T {
    const prepared = this.prepare(exchange);
    if (!(prepared instanceof Promise)) return enter(prepared);
    return prepared.then(enter, (error: unknown) => enter(this.fail(error)));
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
    const reference = logWithReference(this.logger, 'A request could not be admitted', error);
    const body = encodeError(undefined, { code: INTERNAL_ERROR, message: 'Internal error', data: { reference } });
    return { kind: 'refused', refusal: { status: 500, body, closeConnection: true } };
  }
}

/** With the body read, the answer no longer has to end the connection. */
export function keepConnection(response: ServerResponse, { keepsAlive }: RequestNotes, prepared: Prepared): void {
  const unread = prepared.kind === 'refused' && prepared.refusal.closeConnection === true;
  if (keepsAlive === true && !unread) response.shouldKeepAlive = true;
  // Nobody reads the rest of this body, and so nobody would see the client leave while the answer waits.
  if (unread && isWaiting(response)) endPipeline(response.req);
}

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

/** Dependencies of an exchange that all exchanges of an endpoint share. */
export interface EndpointDependencies {
  readonly platform: HttpPlatform;
  readonly bodies: BodyReader;
  /** Notified when code of the app has read the body before. */
  readonly consumed?: ConsumedBodyAlarm;
  readonly properties: TrustedProperties;
}

/** One HTTP request as an exchange, which also identifies its caller. */
export class HttpExchange implements Exchange, Caller {
  readonly head: ExchangeHead;
  readonly screened: boolean;

  constructor(
    readonly request: unknown,
    readonly response: unknown,
    private readonly raw: IncomingMessage,
    private readonly notes: RequestNotes,
    private readonly endpoint: EndpointDependencies,
  ) {
    this.head = notes.head;
    this.screened = notes.screened;
  }

  get caller(): Caller {
    return this;
  }

  /** Guards receive the request of the framework, middleware may receive the raw one. */
  auth(): unknown {
    return this.trusted(this.endpoint.properties.auth);
  }

  cancellationScope(): unknown {
    return this.trusted(this.endpoint.properties.cancellationScope);
  }

  /** The socket, or the session with HTTP/2, where each request has a proxy of the socket. */
  get connection(): object {
    const { raw } = this;
    if (this.notes.isMultiplexed) {
      const { session } = (raw as IncomingMessage & { readonly stream: { readonly session?: object } }).stream;
      if (session !== undefined) return session;
    }
    // An imitated request may have no socket.
    const { socket }: { readonly socket?: object } = raw;
    return socket ?? raw;
  }

  /** The address that the framework or the app determined, which know of proxies; otherwise that of the connection. */
  get address(): string | undefined {
    const socket = this.raw.socket as Partial<Socket> | undefined;
    // Express would read it from the socket.
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

  /** The body that middleware of the app has read before the endpoint. */
  private consumedBody(): BodyReading {
    this.endpoint.consumed?.raise(this.raw);
    const body = this.endpoint.platform.consumedBody(this.request);
    if (body instanceof Uint8Array || typeof body === 'string') return { ok: true, bytes: body };
    return { ok: true, bytes: body === undefined ? '' : JSON.stringify(body) };
  }
}

/** Admits HTTP exchanges; an error of this library becomes a refusal, so that each request is answered. */
export class HttpAdmission {
  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly logger: Logger,
  ) {}

  /** Passes the result of `prepare` to `enter`, synchronously if the body has arrived. */
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

  /** Handles a fault of this library. */
  private fail(error: unknown): Prepared {
    const reference = logWithReference(this.logger, 'A request could not be admitted', error);
    const body = encodeError(undefined, { code: INTERNAL_ERROR, message: 'Internal error', data: { reference } });
    return { kind: 'refused', refusal: { status: 500, body, closeConnection: true } };
  }
}

/** Keeps the connection open after the body has been read. */
export function keepConnection(response: ServerResponse, { keepsAlive }: RequestNotes, prepared: Prepared): void {
  const unread = prepared.kind === 'refused' && prepared.refusal.closeConnection === true;
  if (keepsAlive === true && !unread) response.shouldKeepAlive = true;
  // The rest of this body is not read, so the departure of the client would not be noticed while the answer waits.
  if (unread && isWaiting(response)) endPipeline(response.req);
}

import type { IncomingMessage, ServerResponse, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Logger } from '@nestjs/common';

import { logWithReference } from '../../errors/failure.log.js';
import type { ExchangeHandler } from '../../server/exchange.handler.js';
import type { Prepared } from '../../server/prepared.js';
import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { refuse, refuseAsBusy } from '../../wire/refusal.js';
import { HttpAdmission, keepConnection, HttpExchange, type EndpointDependencies } from '../http/http.exchange.js';
import { writeRefusal } from '../http/early.screening.js';
import { headOf, isMultiplexed, plainPath, type RequestNotes, refuseFraming } from '../node-http/http-request.js';
import { enterPipeline, isWaiting, queueAnswer, announcesBody, closeUnlessRead } from '../node-http/connection.js';
import type { ReplyRoom } from '../node-http/reply-room.js';
import { ReplyWriter } from '../node-http/json-or-event-stream.writer.js';
import type { AddressLimits } from './address.limits.js';
import type { ListenerGuards } from './listener.guards.js';

const SOON = Promise.resolve();

/** For an address that has reached its limit of requests. */
const CROWDED = refuseAsBusy('Too many requests from one address at once; try again later');

/** Dependencies that all requests to one listener share. */
export interface EntranceDependencies extends EndpointDependencies {
  readonly exchanges: ExchangeHandler;
  readonly guards: ListenerGuards;
  readonly room: ReplyRoom;
  /** Absent if the connections belong to a host. */
  readonly addresses?: AddressLimits;
}

/** Which requests are accepted. */
export interface EntrancePlace {
  /** The path of the endpoint; absent if the host checks paths. */
  readonly path?: string;
  readonly screen: (head: ExchangeHead) => Refusal | undefined;
}

/** Handles each request in order: path, Origin, Host and method, then guards, admission and answer. */
export class ListenerEntrance {
  private readonly logger = new Logger('McpListener');
  private readonly admission: HttpAdmission;
  private readonly elsewhere: Refusal;

  constructor(
    private readonly place: EntrancePlace,
    private readonly parts: EntranceDependencies,
  ) {
    this.admission = new HttpAdmission(parts.exchanges, this.logger);
    this.elsewhere = refuse(404, `Nothing is served here; POST to ${place.path}`);
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    if (isWaiting(response) && !this.mayWait(request, response)) return;
    const { room, guards, addresses, exchanges } = this.parts;
    if (room.replies.stopping) response.shouldKeepAlive = false;
    const keepsAlive = response.shouldKeepAlive;
    const { headers } = request;
    const head = headOf(request, headers);
    const notes = { head, isMultiplexed: isMultiplexed(request), screened: true, keepsAlive, prepared: undefined };
    if (!notes.isMultiplexed && announcesBody(head)) closeUnlessRead(request, response);
    const exchange = new HttpExchange(request, response, request, notes, this.parts);
    const refusal = this.refusalOf(request, response, notes);
    if (refusal !== undefined) {
      writeRefusal(response, refusal);
      return;
    }
    if (isPreflight(head.method, headers)) {
      response.writeHead(204, preflightHeaders(headers)).end();
      return;
    }
    if (addresses?.enter(request, response) === false) {
      exchanges.observedRefusal(CROWDED);
      writeRefusal(response, CROWDED);
      return;
    }
    const verdict = guards.judge(request, response);
    // Node's parser delivers the body only after this function returns.
    if (verdict instanceof Promise) void verdict.then((refused) => this.enter(refused, exchange, response, notes));
    else void SOON.then(() => this.enter(verdict, exchange, response, notes));
  }

  /** Accepts pipelined requests up to a limit. */
  private mayWait(request: IncomingMessage, response: ServerResponse): boolean {
    if (!enterPipeline(request)) return false;
    const full = this.parts.exchanges.observedRefusal(queueAnswer(request, response));
    if (full !== undefined) writeRefusal(response, full);
    return full === undefined;
  }

  private refusalOf(
    request: IncomingMessage,
    response: ServerResponse,
    { head, isMultiplexed: isShared }: RequestNotes,
  ): Refusal | undefined {
    const { headers } = request;
    const unreadable = this.parts.exchanges.observedRefusal(isShared ? undefined : refuseFraming(request, head));
    if (unreadable !== undefined) return unreadable;
    const { path, screen } = this.place;
    if (path !== undefined && request.url !== path && plainPath(request.url ?? '') !== path) return this.elsewhere;
    // A preflight gets the decision of the POST that it announces.
    const refusal = screen(isPreflight(head.method, headers) ? { ...head, method: 'POST' } : head);
    if (headers.origin !== undefined && refusal?.status !== 403) setHeaders(response, headers);
    return refusal;
  }

  private enter(
    refused: Refusal | undefined,
    exchange: HttpExchange,
    response: ServerResponse,
    notes: RequestNotes,
  ): void {
    try {
      // The client left while guards ran, or a guard has sent an answer.
      if (response.destroyed || response.headersSent) return;
      if (refused !== undefined) {
        writeRefusal(response, refused);
        return;
      }
      const entered = this.admission.admit(exchange, (prepared) => {
        keepConnection(response, notes, prepared);
        this.answer(prepared, response);
      });
      if (entered instanceof Promise) entered.catch((error: unknown) => this.fail(error, response));
    } catch (error) {
      this.fail(error, response);
    }
  }

  private answer(prepared: Prepared, response: ServerResponse): void {
    const { exchanges, platform, room } = this.parts;
    switch (prepared.kind) {
      case 'request':
        void new ReplyWriter(platform, response, prepared.forms, room).write(exchanges.stream(prepared));
        return;
      case 'refused':
        writeRefusal(response, prepared.refusal);
        return;
      case 'accepted':
        exchanges.accept(prepared);
        platform.send(response, { status: 202, headers: {}, body: '' });
        return;
      default:
        prepared satisfies never;
    }
  }

  /** Handles a fault of this library. */
  private fail(error: unknown, response: ServerResponse): void {
    logWithReference(this.logger, 'A request could not be answered', error);
    if (response.headersSent) response.destroy();
    else writeRefusal(response, { status: 500, closeConnection: true });
  }
}

function setHeaders(response: ServerResponse, headers: IncomingMessage['headers']): void {
  for (const [name, value] of Object.entries(corsHeaders(headers))) response.setHeader(name, String(value));
}

/** Time that browsers may cache a preflight, in seconds; some browsers use a lower maximum. */
const MAX_AGE_S = 600;

/** A list of header names, limited in length. */
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/;
const LONGEST_NAMES = 4_096;

/** Allows scripts of an accepted Origin to read the answer; without a framework, no other code sets these headers. */
function corsHeaders({ origin }: IncomingHttpHeaders): OutgoingHttpHeaders {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
    vary: 'Origin',
  };
}

/** Whether the request is a CORS preflight. */
function isPreflight(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Allows POST with the requested headers; parameters of tools can be in headers of any name. */
function preflightHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const asked = headers['access-control-request-headers'];
  const isList = asked !== undefined && asked.length <= LONGEST_NAMES && NAMES.test(asked);
  return {
    ...corsHeaders(headers),
    'access-control-allow-methods': 'POST',
    ...(isList ? { 'access-control-allow-headers': asked } : {}),
    'access-control-max-age': String(MAX_AGE_S),
  };
}

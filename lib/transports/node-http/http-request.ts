import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

import type { Prepared } from '../../server/prepared.js';
import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { countHeader } from '../../wire/headers.js';
import { refuse } from '../../wire/refusal.js';

/** A media type that body parsers ignore, so that they do not read the bodies of this endpoint. */
export const MASKED_CONTENT_TYPE = 'application/x-mcp-raw';

/**
 * How far a request to the route has come: through the early screening, the guards of the app, admission, to the controller.
 * `refused` is an error before admission, `answered` an answer in place of the controller's.
 */
export type RouteStage = 'arrived' | 'guarded' | 'admitted' | 'taken' | 'refused' | 'answered';

/**
 * Properties of a request that are read once, when it arrives. With Express on Node.js 20 and 22 each request has a hidden
 * class of its own, so that every property access costs about half a microsecond.
 */
export interface RequestNotes {
  /** With the content type of the client, which is masked so that no body parser of the app takes the stream. */
  readonly head: ExchangeHead;
  readonly isMultiplexed: boolean;
  readonly screened: boolean;
  /** Whether the connection can be used again once the body has been read. */
  readonly keepsAlive?: boolean | undefined;
  prepared: Prepared | undefined;
}

/** The same for a request to a route of the app. */
export interface RouteNotes extends RequestNotes {
  stage: RouteStage;
  /** The framework's response. */
  response: unknown;
  /** When the request began to wait for code of the app, by `performance.now()`. */
  since: number;
}

const NOTES = Symbol('nestjs-mcp.request');

type Noted = IncomingMessage & { [NOTES]?: RouteNotes };

export function notesOf(request: IncomingMessage): RouteNotes | undefined {
  return (request as Noted)[NOTES];
}

export function leaveNotes(
  request: IncomingMessage,
  response: unknown,
  { head, isMultiplexed, screened, keepsAlive }: Omit<RequestNotes, 'prepared'>,
): RouteNotes {
  const notes: RouteNotes = {
    head,
    isMultiplexed,
    screened,
    keepsAlive,
    prepared: undefined,
    stage: 'arrived',
    response,
    since: 0,
  };
  (request as Noted)[NOTES] = notes;
  return notes;
}

export function headOf({ method = '', rawHeaders }: IncomingMessage, headers: IncomingHttpHeaders): ExchangeHead {
  return { method, headers, rawHeaders, contentType: headers['content-type'] };
}

/** Whether the request came over HTTP/2. Only HTTP/2 has streams; the version of an HTTP/1 request is a text of its client. */
export function isMultiplexed(request: IncomingMessage): boolean {
  return 'stream' in request;
}

interface ServedSocket extends Socket {
  readonly server?: Server & { readonly maxHeadersCount?: unknown };
}

/** Missing in Node's types; absent on imitated requests. */
function serverOf(socket: ServedSocket | undefined): ServedSocket['server'] {
  return socket?.server;
}

const LEAVE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Whether the client has sent `Expect: 100-continue`. Node answers it, unless the server has a `checkContinue` listener. */
export function waitsForLeave(request: IncomingMessage, { expect }: IncomingHttpHeaders): boolean {
  if (expect === undefined || !LEAVE.test(expect)) return false;
  return (serverOf(request.socket)?.listenerCount('checkContinue') ?? 0) > 0;
}

/** The path without the query, and without the host of an absolute-form target. */
export function plainPath(url: string): string {
  const end = url.search(/[?#]/);
  const target = end === -1 ? url : url.slice(0, end);
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '');
}

/** Default maximum of headers in Node, which drops further headers silently. */
const USUAL_MAX_HEADERS = 1_000;

const CLOSE = { closeConnection: true };

/** Connections with a request that was refused here: following bytes may belong to that request. */
const unreliable = new WeakSet<object>();

/**
 * Refuses a head that has not arrived as a whole, and one that servers which pass it on to one another could read differently,
 * where Node's own parser reads it. Not for HTTP/2, which has frames instead, and counts headers by itself.
 */
export function refuseFraming({ httpVersion, socket }: IncomingMessage, head: ExchangeHead): Refusal | undefined {
  const refusal = unreliable.has(socket)
    ? refuse(400, 'An earlier request was refused', CLOSE)
    : refusalOf(httpVersion, head, socket);
  if (refusal !== undefined && isObject(socket)) unreliable.add(socket);
  return refusal;
}

/** Imitated requests may have no socket. */
function isObject(socket: unknown): socket is object {
  return typeof socket === 'object' && socket !== null;
}

function refusalOf(
  httpVersion: string,
  { headers, rawHeaders }: ExchangeHead,
  socket: IncomingMessage['socket'],
): Refusal | undefined {
  // Clients can write any version into a request line. Imitated requests may have none.
  if (Boolean(httpVersion) && httpVersion !== '1.1' && httpVersion !== '1.0') return refuse(505, 'Use HTTP/1.1', CLOSE);
  // Any header may have been dropped, so the remaining ones cannot be trusted.
  const max = maxHeaders(socket);
  if (rawHeaders.length >= 2 * max) return refuse(431, `Send fewer than ${max} headers`, CLOSE);
  const coding = headers['transfer-encoding'];
  if (httpVersion === '1.0') {
    // HTTP/1.0 has no chunks, so a proxy would have taken them for the body or the next request.
    return coding === undefined ? undefined : refuse(400, 'Chunks do not belong to HTTP/1.0', CLOSE);
  }
  if (coding !== undefined && String(coding).toLowerCase() !== 'chunked') {
    return refuse(501, 'The only transfer coding is chunked', CLOSE);
  }
  return headers.host === undefined || countHeader(rawHeaders, 'host') > 1
    ? refuse(400, 'Send one Host header', CLOSE)
    : undefined;
}

function maxHeaders(socket: IncomingMessage['socket']): number {
  const count = serverOf(socket)?.maxHeadersCount;
  if (typeof count !== 'number') return USUAL_MAX_HEADERS;
  return count > 0 ? count : Number.POSITIVE_INFINITY;
}

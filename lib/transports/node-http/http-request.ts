import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

import type { Prepared } from '../../server/prepared.js';
import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { countHeader } from '../../wire/headers.js';
import { refuse } from '../../wire/refusal.js';

/** A type that no body parser wants, so that the stream of this endpoint stays unread. */
export const MASKED_CONTENT_TYPE = 'application/x-mcp-raw';

/**
 * How far a request to the route has come: through the early screening, the guards of the app, admission, to the controller.
 * `refused` is an error before admission, `answered` an answer in place of the controller's.
 */
export type RouteStage = 'arrived' | 'guarded' | 'admitted' | 'taken' | 'refused' | 'answered';

/**
 * What is noted of a request when it arrives. Express gives each request a hidden class of its own on Node.js 20 and 22, so
 * that every further look at a property of it costs about half a microsecond.
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
  /** When it began to wait for code of the app. */
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

/** Whether other requests share its connection. HTTP/2 has streams for that; the version could be any text of a request line. */
export function isMultiplexed(request: IncomingMessage): boolean {
  return 'stream' in request;
}

interface ServedSocket extends Socket {
  readonly server?: Server & { readonly maxHeadersCount?: unknown };
}

/** Node tells it, its types do not; a request that only stands for one has none. */
function serverOf(socket: ServedSocket | undefined): ServedSocket['server'] {
  return socket?.server;
}

const LEAVE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Whether the client waits for leave to send its body. Node gives it by itself, unless its server has a listener that would. */
export function waitsForLeave(request: IncomingMessage, { expect }: IncomingHttpHeaders): boolean {
  if (expect === undefined || !LEAVE.test(expect)) return false;
  return (serverOf(request.socket)?.listenerCount('checkContinue') ?? 0) > 0;
}

/** Without a query, and without the host that requests to proxies carry. */
export function plainPath(url: string): string {
  const end = url.search(/[?#]/);
  const target = end === -1 ? url : url.slice(0, end);
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '');
}

/** What a server of Node keeps, unless it is told otherwise; it drops the rest without a word. */
const USUAL_MAX_HEADERS = 1_000;

const CLOSE = { closeConnection: true };

/** Connections of which a request was refused here: what follows on them may be the rest of that request. */
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

/** A host without sockets may have nothing in its place. */
function isObject(socket: unknown): socket is object {
  return typeof socket === 'object' && socket !== null;
}

function refusalOf(
  httpVersion: string,
  { headers, rawHeaders }: ExchangeHead,
  socket: IncomingMessage['socket'],
): Refusal | undefined {
  // Anybody can write any version into a request line. A host that stands in for a request may tell none.
  if (Boolean(httpVersion) && httpVersion !== '1.1' && httpVersion !== '1.0') return refuse(505, 'Use HTTP/1.1', CLOSE);
  // What was dropped could have been any header, so nothing can be said about the others.
  const max = maxHeaders(socket);
  if (rawHeaders.length >= 2 * max) return refuse(431, `Send fewer than ${max} headers`, CLOSE);
  const coding = headers['transfer-encoding'];
  if (httpVersion === '1.0') {
    // That version has no chunks, so an older proxy would have taken them for a body or for the next request.
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

import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

import type { Prepared } from '../../exchange/prepared.js';
import type { ExchangeHead } from '../../wire/exchange.js';

/** A type that no body parser wants, so that the stream of this endpoint stays unread. */
export const MASKED_CONTENT_TYPE = 'application/x-mcp-raw';

/**
 * How far a request to the route has come: to the door, through the guards of the app, through admission, to the controller.
 * `refused` is an error before admission, `answered` an answer in place of the controller's.
 */
export type RouteStage = 'arrived' | 'guarded' | 'admitted' | 'taken' | 'refused' | 'answered';

/** What the door notes on a request for the rooms behind it. */
export interface RequestNotes {
  /** The content type, masked so that no body parser of the app takes the stream. */
  readonly contentType: string | undefined;
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
  { contentType, screened, keepsAlive }: Omit<RequestNotes, 'prepared'>,
): RouteNotes {
  const notes: RouteNotes = {
    contentType,
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

export function headOf(request: IncomingMessage, contentType: string | undefined): ExchangeHead {
  return {
    method: request.method ?? '',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    contentType,
  };
}

/** Whether other requests share its connection. HTTP/2 has streams for that; the version could be any text of a request line. */
export function isMultiplexed(request: IncomingMessage): boolean {
  return 'stream' in request;
}

interface ServedSocket extends Socket {
  readonly server?: Server & { readonly maxHeadersCount?: unknown };
}

/** Node tells it, its types do not; a request that only stands for one has none. */
export function serverOf(socket: ServedSocket | undefined): ServedSocket['server'] {
  return socket?.server;
}

const LEAVE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Whether the client waits for leave to send its body. Node gives it by itself, unless its server has a listener that would. */
export function waitsForLeave({ headers: { expect }, socket }: IncomingMessage): boolean {
  return expect !== undefined && LEAVE.test(expect) && (serverOf(socket)?.listenerCount('checkContinue') ?? 0) > 0;
}

/** Without a query, and without the host that requests to proxies carry. */
export function plainPath(url: string): string {
  const end = url.search(/[?#]/);
  const target = end === -1 ? url : url.slice(0, end);
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '');
}

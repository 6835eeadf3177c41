import type { IncomingMessage } from 'node:http';

import type { Prepared } from '../../server/prepared.js';
import type { ExchangeHead } from '../../wire/exchange.js';

/** A type that no body parser wants, so that the stream of this endpoint stays unread. */
export const MASKED_CONTENT_TYPE = 'application/x-mcp-raw';

/** What the door notes on a request for the rooms behind it. */
export interface RequestNotes {
  /** The content type, masked so that no body parser of the app takes the stream. */
  readonly contentType: string | undefined;
  readonly screened: boolean;
  /** Whether the connection can be used again once the body has been read. */
  readonly keepsAlive?: boolean | undefined;
  /** Whether the client waits for leave to send its body; Node gives it by itself where nobody else wants to. */
  readonly expectsContinue?: boolean;
  prepared: Prepared | undefined;
}

const NOTES = Symbol('nestjs-mcp.request');

type Noted = IncomingMessage & { [NOTES]?: RequestNotes };

export function notesOf(request: IncomingMessage): RequestNotes | undefined {
  return (request as Noted)[NOTES];
}

export function leaveNotes(
  request: IncomingMessage,
  { contentType, screened, keepsAlive }: Omit<RequestNotes, 'prepared'>,
): RequestNotes {
  const notes = { contentType, screened, keepsAlive, prepared: undefined };
  (request as Noted)[NOTES] = notes;
  return notes;
}

/** Once, so that an answer that stays open keeps no message with its request. */
export function takePrepared(request: IncomingMessage): Prepared | undefined {
  const notes = notesOf(request);
  const prepared = notes?.prepared;
  if (notes !== undefined) notes.prepared = undefined;
  return prepared;
}

export function headOf(request: IncomingMessage, contentType: string | undefined): ExchangeHead {
  return {
    method: request.method ?? '',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    contentType,
  };
}

/** Without a query, and without the host that requests to proxies carry. */
export function plainPath(url: string): string {
  const end = url.search(/[?#]/);
  const target = end === -1 ? url : url.slice(0, end);
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '');
}

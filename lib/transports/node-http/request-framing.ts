import type { IncomingMessage } from 'node:http';

import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { countHeader } from '../../wire/header-value.js';
import { refuse } from '../../wire/refusal.js';
import { serverOf } from './http-request.js';

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

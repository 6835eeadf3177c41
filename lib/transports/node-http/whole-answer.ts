import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { JSON_MEDIA_TYPE } from '../../wire/media-type.js';

/** Bigger texts are encoded once, instead of being joined with the head first. */
const ENCODE_FROM_LENGTH = 16_384;

/** All that most answers say about themselves. */
export const JSON_HEADERS: Readonly<Record<string, string>> = Object.freeze({ 'content-type': JSON_MEDIA_TYPE });

/** Caches that are told nothing may keep some refusals, such as 404 and 405. */
export const CACHE_CONTROL = 'cache-control';
export const NO_STORE = 'no-store';

/** Has no body, and so no length. */
const NO_CONTENT = 204;

/** One head and one write, with the length known. Caches keep nothing of it, unless the app has told them something. */
export function writeWhole(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  if (status === NO_CONTENT) {
    response.writeHead(status, headers);
    response.end();
    return;
  }
  const payload = body.length > ENCODE_FROM_LENGTH ? Buffer.from(body) : body;
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  const isUncached = body !== '' && !response.hasHeader(CACHE_CONTROL);
  response.writeHead(status, isUncached ? uncached(headers, length) : withLength(headers, length));
  response.end(payload);
}

/** Measured: copying members costs several times as much as writing them down. */
function withLength(headers: Readonly<Record<string, string>>, length: number): OutgoingHttpHeaders {
  if (headers === JSON_HEADERS) return { 'content-type': JSON_MEDIA_TYPE, 'content-length': length };
  return { ...headers, 'content-length': length };
}

function uncached(headers: Readonly<Record<string, string>>, length: number): OutgoingHttpHeaders {
  if (headers !== JSON_HEADERS) return { ...headers, [CACHE_CONTROL]: NO_STORE, 'content-length': length };
  return { 'content-type': JSON_MEDIA_TYPE, 'cache-control': NO_STORE, 'content-length': length };
}

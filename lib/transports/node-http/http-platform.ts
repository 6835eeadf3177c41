import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeaders, ServerResponse, IncomingMessage } from 'node:http';

import { JSON_MEDIA_TYPE } from '../../wire/headers.js';

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

/** A complete answer of one piece. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs before anything of the app; calling `pass` hands the request on. The framework's response may be a wrapper. */
export type EarlyHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => void,
  frameworkResponse: unknown,
) => void;

/** What differs between the HTTP frameworks, or none, that requests come through. */
export interface HttpPlatform {
  rawRequest(request: unknown): IncomingMessage;
  rawResponse(response: unknown): ServerResponse;
  /** Whether the app has set this header. */
  hasHeader(response: unknown, name: string): boolean;
  /** Writes a whole answer, so that the framework's own hooks still apply. */
  send(response: unknown, answer: HttpAnswer): void;
  /** Takes the response over for a stream, with the headers that the app has set so far; they leave with the first write. */
  openStream(response: unknown, status: number, headers: Readonly<Record<string, string>>): ServerResponse;
  /** Body that a middleware of the app has read before us, if one did. */
  consumedBody(request: unknown): unknown;
}

/** A framework below Nest, which serves more than this endpoint. */
export interface FrameworkPlatform extends HttpPlatform {
  /** Runs the handler before everything else, body parsers included, for requests that the router gives to the endpoint. */
  mount(handle: EarlyHandler): void;
  /**
   * Looks at the routes of the app, which have to be registered; returns the paths of the endpoint.
   *
   * @throws InvalidOptionsError where the endpoint cannot be together with another route.
   */
  settle(): readonly string[];
}

/** Requests and responses as Node makes them, with nothing in between. */
export class NodePlatform implements HttpPlatform {
  rawRequest(request: unknown): IncomingMessage {
    return request as IncomingMessage;
  }

  rawResponse(response: unknown): ServerResponse {
    return response as ServerResponse;
  }

  hasHeader(response: unknown, name: string): boolean {
    return (response as ServerResponse).hasHeader(name);
  }

  send(response: unknown, { status, headers, body }: HttpAnswer): void {
    writeWhole(response as ServerResponse, status, headers, body);
  }

  openStream(response: unknown, status: number, headers: Readonly<Record<string, string>>): ServerResponse {
    const raw = response as ServerResponse;
    raw.writeHead(status, headers);
    return raw;
  }

  consumedBody(request: unknown): unknown {
    return (request as { body?: unknown }).body;
  }
}

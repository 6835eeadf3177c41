import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeaders, ServerResponse, IncomingMessage } from 'node:http';

import { JSON_MEDIA_TYPE } from '../../wire/headers.js';

/** Longer texts are encoded once, instead of being concatenated with the head. */
const ENCODE_FROM_LENGTH = 16_384;

/** Headers of most answers. */
export const JSON_HEADERS: Readonly<Record<string, string>> = Object.freeze({ 'content-type': JSON_MEDIA_TYPE });

/** Without it, caches may store some refusals, such as 404 and 405. */
export const CACHE_CONTROL = 'cache-control';
export const NO_STORE = 'no-store';

/** A 204 has neither body nor length. */
const NO_CONTENT = 204;

/** Writes head and body together, with `Content-Length`, and with `Cache-Control: no-store` unless the app has set one. */
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

/** Literals are several times faster than copying members (measured). */
function withLength(headers: Readonly<Record<string, string>>, length: number): OutgoingHttpHeaders {
  if (headers === JSON_HEADERS) return { 'content-type': JSON_MEDIA_TYPE, 'content-length': length };
  return { ...headers, 'content-length': length };
}

function uncached(headers: Readonly<Record<string, string>>, length: number): OutgoingHttpHeaders {
  if (headers !== JSON_HEADERS) return { ...headers, [CACHE_CONTROL]: NO_STORE, 'content-length': length };
  return { 'content-type': JSON_MEDIA_TYPE, 'cache-control': NO_STORE, 'content-length': length };
}

/** A complete answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs before any code of the app; `pass` continues the request. The response of the framework may be a wrapper. */
export type EarlyHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => void,
  frameworkResponse: unknown,
) => void;

/** The differences between Express, Fastify and plain Node. */
export interface HttpPlatform {
  rawRequest(request: unknown): IncomingMessage;
  rawResponse(response: unknown): ServerResponse;
  /** Whether the app has set this header. */
  hasHeader(response: unknown, name: string): boolean;
  /** Writes a whole answer, so that the framework's own hooks still apply. */
  send(response: unknown, answer: HttpAnswer): void;
  /** Starts a stream with the headers that the app has set so far; they are sent with the first write. */
  openStream(response: unknown, status: number, headers: Readonly<Record<string, string>>): ServerResponse;
  /** The body, if middleware of the app has read it before. */
  consumedBody(request: unknown): unknown;
}

/** A framework of a Nest app, which also serves other routes. */
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

/** Requests and responses of Node without a framework. */
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

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Door, HttpAnswer, HttpPlatform } from './http-platform.js';

/** Bigger texts are encoded once, instead of being joined with the head first. */
const ENCODE_FROM_LENGTH = 16_384;

interface ExpressApp {
  use(handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): void;
}

export class ExpressPlatform implements HttpPlatform {
  constructor(private readonly app: ExpressApp) {}

  mount(door: Door): void {
    this.app.use((request, response, next) => door(request, response, next));
  }

  rawRequest(request: unknown): IncomingMessage {
    return request as IncomingMessage;
  }

  rawResponse(response: unknown): ServerResponse {
    return response as ServerResponse;
  }

  send(response: unknown, { status, headers, body }: HttpAnswer): void {
    writeWhole(response as ServerResponse, status, headers, body);
  }

  openStream(response: unknown, status: number, headers: Readonly<Record<string, string>>): ServerResponse {
    const raw = response as ServerResponse;
    raw.writeHead(status, headers);
    raw.flushHeaders();
    return raw;
  }

  consumedBody(request: unknown): unknown {
    return (request as { body?: unknown }).body;
  }
}

/** One head and one write, with the length known. */
export function writeWhole(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const payload = body.length > ENCODE_FROM_LENGTH ? Buffer.from(body) : body;
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  response.writeHead(status, { ...headers, 'content-length': String(length) });
  response.end(payload);
}

import type { IncomingMessage, ServerResponse } from 'node:http';

import { writeWhole } from './whole-answer.js';
import type { HttpAnswer, HttpPlatform } from './http-platform.js';

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

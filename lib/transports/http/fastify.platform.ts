import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import type { Door, HttpAnswer, HttpPlatform } from './http-platform.js';
import { MASKED_CONTENT_TYPE } from './http.door.js';

interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly body?: unknown;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  code(status: number): FastifyReply;
  headers(headers: Readonly<Record<string, string>>): FastifyReply;
  send(body: string): FastifyReply;
  hijack(): FastifyReply;
  getHeaders(): OutgoingHttpHeaders;
}

interface FastifyInstance {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): void;
  hasContentTypeParser(type: string): boolean;
  addContentTypeParser(
    type: string,
    parser: (request: FastifyRequest, payload: unknown, done: (error: null, body: unknown) => void) => void,
  ): void;
}

export class FastifyPlatform implements HttpPlatform {
  constructor(private readonly app: FastifyInstance) {}

  mount(door: Door): void {
    this.app.addHook('onRequest', (request, reply, done) => {
      door(request.raw, reply.raw, done);
      // A door that answered has ended the raw response, so Fastify must not touch it again.
      if (reply.raw.headersSent) reply.hijack();
    });
    if (this.app.hasContentTypeParser(MASKED_CONTENT_TYPE)) return;
    this.app.addContentTypeParser(MASKED_CONTENT_TYPE, (_request, _payload, done) => done(null, undefined));
  }

  rawRequest(request: unknown): IncomingMessage {
    return (request as FastifyRequest).raw;
  }

  rawResponse(response: unknown): ServerResponse {
    return (response as FastifyReply).raw;
  }

  send(response: unknown, { status, headers, body }: HttpAnswer): void {
    (response as FastifyReply).code(status).headers(headers).send(body);
  }

  openStream(response: unknown, status: number, headers: Readonly<Record<string, string>>): ServerResponse {
    const reply = response as FastifyReply;
    const earlier = reply.getHeaders();
    reply.hijack();
    reply.raw.writeHead(status, { ...earlier, ...headers });
    reply.raw.flushHeaders();
    return reply.raw;
  }

  consumedBody(request: unknown): unknown {
    return (request as FastifyRequest).body;
  }
}

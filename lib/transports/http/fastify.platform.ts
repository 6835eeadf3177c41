import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import type { EndpointRoute } from './endpoint-route.js';
import { FastifyRoutes, type FastifyRoute, type RoutedRequest, type RouterConfig } from './fastify.routes.js';
import type { EarlyHandler, FrameworkPlatform, HttpAnswer } from '../node-http/http-platform.js';
import { MASKED_CONTENT_TYPE, notesOf } from '../node-http/http-request.js';
import { CACHE_CONTROL, NO_STORE } from '../node-http/whole-answer.js';

interface FastifyRequest extends RoutedRequest {
  readonly raw: IncomingMessage;
  readonly body?: unknown;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  code(status: number): FastifyReply;
  header(name: string, value: string): FastifyReply;
  headers(headers: Readonly<Record<string, string>>): FastifyReply;
  send(body: string | undefined): FastifyReply;
  hijack(): FastifyReply;
  getHeaders(): OutgoingHttpHeaders;
  hasHeader(name: string): boolean;
}

type RequestHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => unknown;

export interface FastifyInstance {
  readonly initialConfig?: RouterConfig;
  addHook(name: 'onRequest', hook: RequestHook): void;
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): void;
  hasContentTypeParser(type: string): boolean;
  addContentTypeParser(
    type: string,
    parser: (request: FastifyRequest, payload: unknown, done: (error: null, body: unknown) => void) => void,
  ): void;
}

/** The part of Nest's adapter that runs before its CORS and its middleware. */
export interface EarlyHooks {
  readonly onRequestHook?: RequestHook;
  setOnRequestHook(hook: RequestHook): void;
}

export class FastifyPlatform implements FrameworkPlatform {
  private readonly routes: FastifyRoutes;

  constructor(
    private readonly app: FastifyInstance,
    private readonly early: EarlyHooks,
    endpoint: EndpointRoute,
  ) {
    this.routes = new FastifyRoutes(endpoint, app.initialConfig ?? {});
  }

  /** Hooks that are added now come after Nest's middleware, so the early screening joins the single early hook of the adapter. */
  mount(handle: EarlyHandler): void {
    const { routes } = this;
    this.app.addHook('onRoute', (route) => routes.hear(route));
    const screen: RequestHook = (request, reply, done) => {
      if (!routes.leadHere(request)) {
        done();
        return;
      }
      handle(request.raw, reply.raw, done, reply);
      // A refusal has ended the raw response, so Fastify must not touch it again.
      if (reply.raw.headersSent) reply.hijack();
    };
    const { early } = this;
    const earlier = early.onRequestHook;
    early.setOnRequestHook(
      earlier === undefined
        ? screen
        : (request, reply, done) => screen(request, reply, () => earlier.call(early, request, reply, done)),
    );
    // The app may replace that hook, and this one cannot be replaced.
    this.app.addHook('onRequest', (request, reply, done) => {
      if (notesOf(request.raw) === undefined) screen(request, reply, done);
      else done();
    });
    if (this.app.hasContentTypeParser(MASKED_CONTENT_TYPE)) return;
    this.app.addContentTypeParser(MASKED_CONTENT_TYPE, (_request, _payload, done) => done(null, undefined));
  }

  settle(): readonly string[] {
    return this.routes.settle();
  }

  rawRequest(request: unknown): IncomingMessage {
    return (request as FastifyRequest).raw;
  }

  rawResponse(response: unknown): ServerResponse {
    return (response as FastifyReply).raw;
  }

  hasHeader(response: unknown, name: string): boolean {
    const reply = response as FastifyReply;
    return reply.hasHeader(name) || reply.raw.hasHeader(name);
  }

  send(response: unknown, { status, headers, body }: HttpAnswer): void {
    const reply = (response as FastifyReply).code(status).headers(headers);
    if (body !== '' && !this.hasHeader(reply, CACHE_CONTROL)) reply.header(CACHE_CONTROL, NO_STORE);
    // Fastify gives every text a content type, the empty one too.
    reply.send(body === '' ? undefined : body);
  }

  openStream(response: unknown, status: number, headers: Readonly<Record<string, string>>): ServerResponse {
    const reply = response as FastifyReply;
    const earlier = reply.getHeaders();
    reply.hijack();
    reply.raw.writeHead(status, { ...earlier, ...headers });
    return reply.raw;
  }

  consumedBody(request: unknown): unknown {
    const { body, raw } = request as FastifyRequest;
    return body ?? (raw as { body?: unknown }).body;
  }
}

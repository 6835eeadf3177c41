import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import type { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import { plainPath, MASKED_CONTENT_TYPE, notesOf } from '../node-http/http-request.js';
import { carriesMark, ENDPOINT, isInPlace, routeClash, type EndpointRoute, type HeldRoute } from './endpoint-route.js';
import {
  type EarlyHandler,
  type FrameworkPlatform,
  type HttpAnswer,
  CACHE_CONTROL,
  NO_STORE,
} from '../node-http/http-platform.js';

/** A route as Fastify reports it before its registration. */
export interface FastifyRoute {
  readonly url: string;
  readonly method: string | readonly string[];
  readonly handler: unknown;
  readonly constraints?: object | undefined;
  config?: RouteConfig;
}

export interface RouteConfig {
  readonly [ENDPOINT]?: unknown;
}

/** A request after Fastify has looked for its route. */
interface RoutedRequest {
  readonly raw: { readonly url?: string | undefined; readonly method?: string | undefined };
  readonly params?: unknown;
  readonly is404: boolean;
  readonly routeOptions: { readonly config?: RouteConfig };
}

/** Options of Fastify's router; in older versions they are options of the server. */
interface RouterOptions {
  readonly caseSensitive?: boolean;
  readonly ignoreTrailingSlash?: boolean;
  readonly ignoreDuplicateSlashes?: boolean;
  readonly useSemicolonDelimiter?: boolean;
}

export interface RouterConfig extends RouterOptions {
  readonly routerOptions?: RouterOptions;
}

const PARAMETER = /:[^/.\-()]+/g;

/** Decides which requests Fastify routes to the endpoint. Its hooks run after routing, so the route is known. */
export class FastifyRoutes {
  private readonly paths: string[] = [];
  /** Routes without constraints by method and path, as Fastify compares paths; Fastify allows one of each. */
  private readonly held = new Map<string, HeldRoute>();
  private readonly constrained = new Set<string>();
  private plain: ReadonlySet<string> = new Set();
  private readonly methods = new Set<string>();
  private readonly patterns: RegExp[] = [];
  private readonly options: RouterOptions;

  constructor(
    private readonly endpoint: EndpointRoute,
    config: RouterConfig,
  ) {
    this.options = { ...config, ...config.routerOptions };
  }

  /**
   * Called for each route before its registration.
   *
   * @throws InvalidOptionsError where Fastify would refuse it because of the endpoint, or the endpoint because of it.
   */
  onRoute(route: FastifyRoute): void {
    const { url, method, handler, constraints = {} } = route;
    const methods = typeof method === 'string' ? [method] : method;
    const held: HeldRoute = { path: url, methods, handlers: [handler] };
    const isOwn = this.isOwn(held);
    if (Object.keys(constraints).length > 0) this.constrained.add(this.comparable(url));
    else this.hold(held, isOwn);
    if (isOwn) {
      this.paths.push(url);
      this.patterns.push(patternOf(this.trimmed(url)));
      for (const name of methods) this.methods.add(name);
      route.config = { ...route.config, [ENDPOINT]: this.endpoint.mark };
    }
    this.plain = new Set(this.paths.filter((path) => this.isPlain(path)));
  }

  /** Paths of the endpoint, once routes are registered. */
  settle(): readonly string[] {
    return this.paths.length === 0 ? [this.endpoint.path()] : this.paths;
  }

  leadHere(request: RoutedRequest): boolean {
    const { url = '', method = '' } = request.raw;
    if (this.plain.has(url)) return true;
    // Methods without a route in Fastify are refused like the others.
    if (request.is404) return !this.methods.has(method) && this.wouldLeadHere(url);
    return request.routeOptions.config?.[ENDPOINT] === this.endpoint.mark && !hasEmpty(request.params);
  }

  private isOwn(route: HeldRoute): boolean {
    return carriesMark(route, this.endpoint) ?? isInPlace(route, this.endpoint);
  }

  /** Whether a request with exactly this target always belongs to the endpoint. */
  private isPlain(path: string): boolean {
    return !/[:*]/.test(path) && !this.constrained.has(this.comparable(path));
  }

  private hold(route: HeldRoute, isOwn: boolean): void {
    for (const method of route.methods) {
      const key = `${method} ${this.comparable(route.path)}`;
      const other = this.held.get(key);
      if (other === undefined) this.held.set(key, route);
      else if (isOwn) throw clash(other, route);
      else if (this.isOwn(other)) throw clash(route, other);
    }
  }

  private wouldLeadHere(url: string): boolean {
    const path = plainPath(url);
    const end = this.options.useSemicolonDelimiter === true ? path.indexOf(';') : -1;
    const read = this.trimmed(decoded(end === -1 ? path : path.slice(0, end)));
    return this.patterns.some((pattern) => pattern.test(read));
  }

  /** Equal for paths that Fastify's router cannot distinguish; names of parameters do not matter. */
  private comparable(path: string): string {
    return this.trimmed(path.replaceAll(PARAMETER, ':'));
  }

  /** Removes the parts of a path that the router ignores. */
  private trimmed(path: string): string {
    const { ignoreDuplicateSlashes, ignoreTrailingSlash, caseSensitive } = this.options;
    const once = ignoreDuplicateSlashes === true ? path.replaceAll(/\/{2,}/g, '/') : path;
    const bare = ignoreTrailingSlash === true && once.length > 1 && once.endsWith('/') ? once.slice(0, -1) : once;
    return caseSensitive === false ? bare.toLowerCase() : bare;
  }
}

function clash(route: HeldRoute, { path }: HeldRoute): InvalidOptionsError {
  return routeClash(route, path, 'Fastify, which has one route for a path, has no place for both');
}

/** Nest answers requests with an empty parameter as if the route did not exist. */
function hasEmpty(params: unknown): boolean {
  return typeof params === 'object' && params !== null && Object.values(params).includes('');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function patternOf(path: string): RegExp {
  const texts = path.split(PARAMETER).map((text) => text.replaceAll(/[^\w/-]/g, String.raw`\$&`));
  return new RegExp(`^${texts.join('[^/]+')}$`);
}

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

/** The hook of Nest's adapter that runs before its CORS and its middleware. */
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
    this.app.addHook('onRoute', (route) => routes.onRoute(route));
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
    // The app may replace that hook, but not this one.
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
    // Fastify adds a content type to every string, even to an empty one.
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

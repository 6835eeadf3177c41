import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  carriesMark,
  isInPlace,
  isOfController,
  routeClash,
  type EndpointRoute,
  type HeldRoute,
} from './endpoint-route.js';
import { type EarlyHandler, type FrameworkPlatform, NodePlatform } from '../node-http/http-platform.js';

/** An entry of Express's router; middleware has no route. */
export interface ExpressLayer {
  readonly route?: {
    readonly path: unknown;
    readonly methods: Readonly<Record<string, boolean | undefined>>;
    readonly stack: readonly { readonly handle: unknown }[];
  };
  match(path: string): unknown;
}

interface Route extends HeldRoute {
  readonly layer: ExpressLayer;
}

/** One path of the endpoint, with the routes of the app that come before it in the router. */
interface Place {
  readonly own: Route;
  readonly earlier: readonly Route[];
}

/** Characters with a meaning in paths of `path-to-regexp`. */
const SPECIAL = /[:*{}()[\]?+!\\"]/;

/** Decides which requests Express routes to the endpoint; Express tries routes in the order of their registration. */
export class ExpressRoutes {
  private places: readonly Place[] = [];
  private plain: ReadonlySet<string> = new Set();

  constructor(private readonly endpoint: EndpointRoute) {}

  /**
   * Finds the endpoint among the routes, once they are registered; returns its paths.
   *
   * @throws InvalidOptionsError where a route of the app and the endpoint take requests from one another.
   */
  settle(layers: readonly ExpressLayer[]): readonly string[] {
    const routes = layers.flatMap(heldRoute);
    const own = this.findOwn(routes);
    this.places = own.map((route) => placeOf(route, routes));
    const others = routes.filter((route) => !own.includes(route) && endsRequests(route));
    for (const place of this.places) {
      refuseTaker(place);
      refuseHidden(place, others);
    }
    const paths = own.length === 0 ? [this.endpoint.path()] : own.map(({ path }) => path);
    this.plain = new Set(paths.filter((path) => !SPECIAL.test(path)));
    return paths;
  }

  leadHere(request: IncomingMessage): boolean {
    const { url = '', method = '' } = request;
    if (method === 'POST' && this.plain.has(url)) return true;
    const path = pathOf(request);
    if (path === undefined) return false;
    const place = this.places.find(({ own }) => matches(own, path));
    return place === undefined
      ? this.places.length === 0 && this.plain.has(path)
      : !place.earlier.some((route) => handles(route, method) && matches(route, path));
  }

  private findOwn(routes: readonly Route[]): readonly Route[] {
    const marked = routes.filter((route) => carriesMark(route, this.endpoint));
    return marked.length > 0 ? marked : routes.filter((route) => isInPlace(route, this.endpoint));
  }
}

function heldRoute(layer: ExpressLayer): Route[] {
  const { route } = layer;
  if (route === undefined || typeof route.path !== 'string' || typeof layer.match !== 'function') return [];
  const methods = Object.keys(route.methods);
  return [{ layer, path: route.path, methods, handlers: route.stack.map(({ handle }) => handle) }];
}

function placeOf(own: Route, routes: readonly Route[]): Place {
  return { own, earlier: routes.slice(0, routes.indexOf(own)).filter(endsRequests) };
}

/** Middleware for a path is among the routes, too; it takes `next`. */
function endsRequests(route: Route): boolean {
  return isOfController(route) || route.handlers.some(takesNoNext);
}

/** A function without declared parameters may read them by `arguments`. */
function takesNoNext(handler: unknown): boolean {
  return typeof handler === 'function' && (handler.length === 1 || handler.length === 2);
}

function handles({ methods }: Route, method: string): boolean {
  const name = method.toLowerCase();
  return methods.includes('_all') || methods.includes(name) || (name === 'head' && methods.includes('get'));
}

function matches({ layer }: Route, path: string): boolean {
  try {
    return Boolean(layer.match(path));
  } catch {
    // The router refuses parameters that it cannot decode.
    return false;
  }
}

/** Parsed as the router does, which caches the result. */
function pathOf(request: IncomingMessage & { readonly path?: string }): string | undefined {
  try {
    return request.path;
  } catch {
    return undefined;
  }
}

function refuseTaker({ own, earlier }: Place): void {
  const path = sampleOf(own.path);
  const taker = earlier.find((route) => handles(route, 'POST') && matches(route, path));
  if (taker === undefined) return;
  throw routeClash(taker, own.path, 'that route, which is registered first, takes requests of the endpoint');
}

function refuseHidden({ own, earlier }: Place, others: readonly Route[]): void {
  const hidden = others.find((route) => !earlier.includes(route) && matches(own, sampleOf(route.path)));
  if (hidden === undefined) return;
  throw routeClash(hidden, own.path, 'the endpoint, which is registered first, takes all requests of that route');
}

/** A sample path for a route, with parameters that match no literal of another route. */
function sampleOf(path: string): string {
  return path.replaceAll(/[{}]/g, '').replaceAll(/[:*](?:\w+|"[^"]*")/g, '~');
}

export interface ExpressApp {
  readonly router?: { readonly stack?: readonly ExpressLayer[] };
  use(handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): void;
}

/** Express adds members to Node's objects and does not change the existing ones. */
export class ExpressPlatform extends NodePlatform implements FrameworkPlatform {
  private readonly routes: ExpressRoutes;

  constructor(
    private readonly app: ExpressApp,
    endpoint: EndpointRoute,
  ) {
    super();
    this.routes = new ExpressRoutes(endpoint);
  }

  mount(screen: EarlyHandler): void {
    const { routes } = this;
    this.app.use((request, response, next) => {
      if (routes.leadHere(request)) screen(request, response, next, response);
      else next();
    });
  }

  settle(): readonly string[] {
    return this.routes.settle(this.app.router?.stack ?? []);
  }
}

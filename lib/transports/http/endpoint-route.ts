import { InvalidOptionsError } from '../../errors/invalid-options.error.js';

/** Nest copies it from the method of a controller to what it gives to the router. */
export const ENDPOINT = Symbol('nestjs-mcp.endpoint');

/** How the endpoint is found among the routes of the app. */
export interface EndpointRoute {
  /** What the endpoint's handler carries under `ENDPOINT`. */
  readonly mark: unknown;
  /** Where it should be; the global prefix is known only when routes are registered. */
  readonly path: () => string;
}

/** A route as its router holds it. */
export interface HeldRoute {
  readonly path: string;
  readonly methods: readonly string[];
  readonly handlers: readonly unknown[];
}

/** Most methods that Nest gives to a route that is not for all of them. */
const FEW_METHODS = 7;

/** Whether it carries the mark of the endpoint; undefined where it carries none. */
export function carriesMark({ handlers }: HeldRoute, { mark }: EndpointRoute): boolean | undefined {
  const found = handlers.map(markOf).find((carried) => carried !== undefined);
  return found === undefined ? undefined : found === mark;
}

/** For where something between Nest and the router has wrapped the handler, so that no mark is left. */
export function isInPlace({ path, methods }: HeldRoute, endpoint: EndpointRoute): boolean {
  return isForAll(methods) && path === endpoint.path();
}

function isForAll(methods: readonly string[]): boolean {
  return methods.length > FEW_METHODS || methods.includes('_all');
}

/** Whether some handler is a method of a controller. */
export function isOfController({ handlers }: HeldRoute): boolean {
  return handlers.some((handler) => metadataOf('path', handler) !== undefined);
}

/** An app's route that cannot be together with the endpoint; `fate` says which of them gets no request. */
export function routeClash(route: HeldRoute, path: string, fate: string): InvalidOptionsError {
  const label = labelOf(route);
  return new InvalidOptionsError(
    'path',
    route.handlers.some((handler) => markOf(handler) !== undefined)
      ? `two MCP servers of this app answer at ${path}. Give one of them another path: path: '...'.`
      : `the app has the route ${label}, and the MCP endpoint is at ${path}, so ${fate}. Give the endpoint another path, path: '...', or move the route.`,
  );
}

function labelOf({ path, methods, handlers }: HeldRoute): string {
  const method = isForAll(methods) ? 'ALL' : methods.join(', ').toUpperCase();
  const names = handlers.map((handler) => (typeof handler === 'function' ? handler.name : ''));
  // Nest names what it makes after class and method.
  const name = names.find((found) => found.includes('.'));
  return `${method} ${path}${name === undefined ? '' : ` (${name})`}`;
}

function markOf(handler: unknown): unknown {
  return metadataOf(ENDPOINT, handler);
}

function metadataOf(key: string | symbol, handler: unknown): unknown {
  return typeof handler === 'function' ? Reflect.getMetadata(key, handler) : undefined;
}

/** How Nest keeps the controller, as far as it decides about enhancers that Nest makes for it. */
export interface ControllerWrapper {
  readonly id: string;
  /** Whether all requests share one controller. */
  isDependencyTreeStatic(): boolean;
}

/** What an app knows of its endpoint only after its options were made. */
export interface EndpointMetadata {
  readonly path: string;
  readonly guards: readonly unknown[];
  readonly interceptors: readonly unknown[];
  readonly filters: readonly unknown[];
}

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';

/** Metadata key that Nest copies from the method of a controller to the handler that it registers. */
export const ENDPOINT = Symbol('nestjs-mcp.endpoint');

/** Identifies the endpoint among the routes of the app. */
export interface EndpointRoute {
  /** The metadata of the endpoint's handler under `ENDPOINT`. */
  readonly mark: unknown;
  /** The expected path; the global prefix is known only when routes are registered. */
  readonly path: () => string;
}

/** A route of the router. */
export interface HeldRoute {
  readonly path: string;
  readonly methods: readonly string[];
  readonly handlers: readonly unknown[];
}

/** Maximum number of methods of a route that is not for all methods. */
const FEW_METHODS = 7;

/** Whether the route has the mark of the endpoint; `undefined` if it has no mark. */
export function carriesMark({ handlers }: HeldRoute, { mark }: EndpointRoute): boolean | undefined {
  const found = handlers.map(markOf).find((carried) => carried !== undefined);
  return found === undefined ? undefined : found === mark;
}

/** For handlers that were wrapped between Nest and the router, which lose their mark. */
export function isInPlace({ path, methods }: HeldRoute, endpoint: EndpointRoute): boolean {
  return isForAll(methods) && path === endpoint.path();
}

function isForAll(methods: readonly string[]): boolean {
  return methods.length > FEW_METHODS || methods.includes('_all');
}

/** Whether a handler is a method of a controller. */
export function isOfController({ handlers }: HeldRoute): boolean {
  return handlers.some((handler) => metadataOf('path', handler) !== undefined);
}

/** A route of the app that conflicts with the endpoint; `fate` says which of them gets no requests. */
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
  // Nest names its handlers after class and method.
  const name = names.find((found) => found.includes('.'));
  return `${method} ${path}${name === undefined ? '' : ` (${name})`}`;
}

function markOf(handler: unknown): unknown {
  return metadataOf(ENDPOINT, handler);
}

function metadataOf(key: string | symbol, handler: unknown): unknown {
  return typeof handler === 'function' ? Reflect.getMetadata(key, handler) : undefined;
}

/** Nest's wrapper of the controller, as far as it is needed to create enhancers. */
export interface ControllerWrapper {
  readonly id: string;
  /** Whether all requests share one controller. */
  isDependencyTreeStatic(): boolean;
}

/** Metadata of the endpoint that is known only after the options were read. */
export interface EndpointMetadata {
  readonly path: string;
  readonly guards: readonly unknown[];
  readonly interceptors: readonly unknown[];
  readonly filters: readonly unknown[];
}

/** Looks and listens, but does not answer. */
const HARMLESS = /^(?:get|has|is|on$|once$|off$|addListener$|removeListener$|listenerCount$|constructor$)/;

/** Objects through which the same response can be written. */
const SAME_RESPONSE = new Set<unknown>(['raw', 'res']);

/** Without state of its own, so one serves every call. */
const INERT: ProxyHandler<object> = {
  get(target, key, standIn) {
    // Fastify's reply can be awaited, and would then wait for an answer that the handler itself has to make.
    if (key === 'then') return undefined;
    const value: unknown = Reflect.get(target, key, target);
    if (SAME_RESPONSE.has(key)) return standInFor(value);
    if (typeof value !== 'function') return value;
    return typeof key === 'string' && HARMLESS.test(key) ? value.bind(target) : () => standIn as unknown;
  },
  set: () => true,
  defineProperty: () => true,
  deleteProperty: () => true,
};

/**
 * The HTTP response as enhancers of a handler see it. Filters and interceptors that an app wrote for its routes answer
 * the response itself, which would replace the JSON-RPC message; here whatever writes does nothing and can be chained.
 */
export function standInFor(response: unknown): unknown {
  return typeof response === 'object' && response !== null ? new Proxy(response, INERT) : response;
}

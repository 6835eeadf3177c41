import { applySetter, setsHeaders } from './header.setters.js';

/** Looks and listens, but does not answer. */
const HARMLESS = /^(?:get|has|is|on$|once$|off$|addListener$|removeListener$|listenerCount$|constructor$)/;

/** Objects through which the same response can be written. */
const SAME_RESPONSE = new Set<unknown>(['raw', 'res']);

/** Without state of its own, so one serves every call. */
const FACADE: ProxyHandler<object> = {
  get(target, key, standIn) {
    // Fastify's reply can be awaited, and would then wait for an answer that the handler itself has to make.
    if (key === 'then') return undefined;
    const value: unknown = Reflect.get(target, key, target);
    if (SAME_RESPONSE.has(key)) return standInFor(value);
    if (typeof value !== 'function') return value;
    if (setsHeaders(key)) {
      return (...args: readonly unknown[]) => {
        applySetter(target, key, value as () => unknown, args);
        return standIn as unknown;
      };
    }
    return typeof key === 'string' && HARMLESS.test(key) ? value.bind(target) : () => standIn as unknown;
  },
  set: () => true,
  defineProperty: () => true,
  deleteProperty: () => true,
};

/**
 * The HTTP response as enhancers and handlers see it. Headers that they set are those of the answer, until its head is
 * sent. Filters and interceptors that an app wrote for its routes answer the response itself, which would replace the
 * JSON-RPC message; here status, body and end do nothing and can be chained.
 */
export function standInFor(response: unknown): unknown {
  return typeof response === 'object' && response !== null ? new Proxy(response, FACADE) : response;
}

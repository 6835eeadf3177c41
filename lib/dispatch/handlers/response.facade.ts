import { setsHeaders, type applySetter } from './header.setters.js';

/** Objects through which the same response can be written. */
const SAME_RESPONSE = new Set<unknown>(['raw', 'res']);

/**
 * Shows a response whose methods do nothing and can be chained, but for those that `passes` names and, if given, those
 * that set headers. Without state of its own, so one can serve every call.
 */
export function responseFacade(passes: RegExp, setHeader?: typeof applySetter): (response: unknown) => unknown {
  const show = (response: unknown): unknown =>
    typeof response === 'object' && response !== null ? new Proxy(response, facade) : response;
  const facade: ProxyHandler<object> = {
    get(target, key, shown) {
      // Fastify's reply can be awaited, and would then wait for an answer that the handler itself has to make.
      if (key === 'then') return undefined;
      const value: unknown = Reflect.get(target, key, target);
      if (SAME_RESPONSE.has(key)) return show(value);
      if (typeof value !== 'function') return value;
      if (setHeader !== undefined && setsHeaders(key)) {
        return (...args: readonly unknown[]) => {
          setHeader(target, key, value as () => unknown, args);
          return shown as unknown;
        };
      }
      return typeof key === 'string' && passes.test(key) ? value.bind(target) : () => shown as unknown;
    },
    set: () => true,
    defineProperty: () => true,
    deleteProperty: () => true,
  };
  return show;
}

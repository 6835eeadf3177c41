const READS = /^(?:get|has|is)/;

const SILENCE: ProxyHandler<object> = {
  get(target, key, silent) {
    if (key === 'then') return undefined;
    const value: unknown = Reflect.get(target, key, target);
    if (typeof value === 'function') {
      return typeof key === 'string' && READS.test(key) ? value.bind(target) : () => silent as unknown;
    }
    return key === 'raw' || key === 'res' ? silenced(value) : value;
  },
  set: () => true,
  defineProperty: () => true,
  deleteProperty: () => true,
};

/** The response as guards see it that only say what is listed: whatever they write about one component is dropped. */
export function silenced(response: unknown): unknown {
  return typeof response === 'object' && response !== null ? new Proxy(response, SILENCE) : response;
}

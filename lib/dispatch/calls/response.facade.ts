import { McpError } from '../../errors/mcp.error.js';

/** Objects through which the same response can be written. */
const SAME_RESPONSE = new Set<unknown>(['raw', 'res']);

/**
 * Returns a proxy of a response whose methods do nothing and can be chained, except for methods that match `passes` and,
 * if `setHeader` is given, methods that set headers. It is stateless, so one can serve every call.
 */
function responseFacade(passes: RegExp, setHeader?: typeof applySetter): (response: unknown) => unknown {
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

/** Methods that read or listen, but do not answer. */
const READING = /^(?:get|has|is|on$|once$|off$|addListener$|removeListener$|listenerCount$|constructor$)/;

/**
 * The HTTP response as enhancers and handlers see it. They can set headers of the answer until its head is sent. Filters
 * and interceptors that were written for routes write to the response, which would replace the JSON-RPC message, so
 * status, body and end do nothing and can be chained.
 */
export const standInFor = responseFacade(READING, applySetter);

/**
 * Holds the headers that guards set while a refusal would be concealed, since each header would reveal that the component
 * exists. They are applied when the guards have allowed the call. Until then the response does not show them.
 */
export class HeldHeaders {
  private held: (() => void)[] | undefined = [];

  /** The HTTP response as the enhancers and the handler of one call see it. */
  readonly standInFor = responseFacade(READING, (...call) => {
    const apply = prepareSetter(...call);
    if (this.held === undefined) apply();
    else this.held.push(apply);
  });

  /** From now on headers are set at once. */
  release(): void {
    const { held } = this;
    this.held = undefined;
    for (const apply of held ?? []) apply();
  }
}

const READS = /^(?:get|has|is)/;

/** The response as guards see it that decide about a list: everything they write to it is dropped. */
export const silenced = responseFacade(READS);

const TOO_LATE = 'MCP_HEADERS_SENT';

/** Methods of Node, Express and Fastify that set headers, by a name or by an object of names. */
const NAMED_SETTERS = new Set<unknown>([
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'header',
  'headers',
  'set',
  'append',
]);

/** Methods that set one fixed header. */
const FIXED_SETTERS: ReadonlyMap<unknown, string> = new Map([
  ['vary', 'vary'],
  ['cookie', 'set-cookie'],
  ['setCookie', 'set-cookie'],
  ['clearCookie', 'set-cookie'],
  ['links', 'link'],
  ['location', 'location'],
]);

/** Headers that the transport sets: they describe the body and the connection. */
const TRANSPORT_HEADERS = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
  'upgrade',
]);

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The parts of Node's and Fastify's response that show whether its head was sent. */
interface Head {
  readonly headersSent?: unknown;
  readonly sent?: unknown;
  readonly raw?: { readonly headersSent?: unknown };
}

type Setter = (...args: unknown[]) => unknown;
type SetterCall = [response: object, method: string | symbol, setter: Setter, args: readonly unknown[]];
type Entry = readonly [name: string, value: unknown];

/** Whether a method sets headers and nothing else. */
const setsHeaders = (method: string | symbol): boolean => NAMED_SETTERS.has(method) || FIXED_SETTERS.has(method);

/** Calls a method that sets headers. @throws McpError when the head of the answer was sent. */
function applySetter(...call: SetterCall): void {
  prepareSetter(...call)();
}

/**
 * Checks a call that sets headers, and returns a function that makes it. Headers of the transport are silently left out,
 * since filters and interceptors that were written for routes often set them.
 *
 * @throws McpError when the head of the answer was sent.
 */
function prepareSetter(...[response, method, setter, args]: SetterCall): () => void {
  const [first, ...rest] = args;
  const fixed = FIXED_SETTERS.get(method);
  const named = fixed ?? (typeof first === 'string' ? first : undefined);
  const given = named === undefined ? entriesOf(first) : [[named, rest[0]] as const];
  if (isSent(response)) throw tooLate(given.map(([name]) => name).join(', '));
  if (fixed === undefined) for (const [name, value] of given) check(name, value);
  if (named === undefined) return () => setter.call(response, withoutTransportHeaders(first), ...rest);
  return TRANSPORT_HEADERS.has(named.toLowerCase()) ? () => undefined : () => setter.call(response, ...args);
}

export function isTooLate(error: unknown): boolean {
  return (error as Partial<McpError> | null | undefined)?.code === TOO_LATE;
}

function tooLate(name: string): McpError {
  return new McpError(
    TOO_LATE,
    `The header "${name}" cannot be set any more, since the head of the answer was sent. Set headers before the first progress or log message, and before the handler returns.`,
  );
}

function isSent({ headersSent, sent, raw }: Head): boolean {
  return headersSent === true || sent === true || raw?.headersSent === true;
}

/** Fastify checks headers only when it writes the answer, and then writes another answer. */
function check(name: string, value: unknown): void {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is not a valid header name.`);
  for (const part of Array.isArray(value) ? value : [value]) {
    if (!VALUE.test(String(part)))
      throw new TypeError(`The value of the header "${name}" has characters that a header cannot contain.`);
  }
}

/** Returns the same type as `given`, since each method accepts its own. */
function withoutTransportHeaders(given: unknown): unknown {
  if (given instanceof Headers) return new Headers(entriesOf(given).filter(isAllowed) as [string, string][]);
  return given instanceof Map
    ? new Map(entriesOf(given).filter(isAllowed))
    : Object.fromEntries(entriesOf(given).filter(isAllowed));
}

const isAllowed = ([name]: Entry): boolean => !TRANSPORT_HEADERS.has(name.toLowerCase());

function entriesOf(given: unknown): Entry[] {
  return given instanceof Map || given instanceof Headers
    ? [...(given as Map<string, unknown>)]
    : Object.entries(Object(given) as object);
}

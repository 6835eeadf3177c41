import { McpError } from '../../errors/mcp.error.js';

const TOO_LATE = 'MCP_HEADERS_SENT';

/** Methods of Node, Express and Fastify that set headers, by a name or by an object of names. */
const NAMING = new Set<unknown>([
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'header',
  'headers',
  'set',
  'append',
]);

/** Those that set one certain header. */
const CERTAIN: ReadonlyMap<unknown, string> = new Map([
  ['vary', 'vary'],
  ['cookie', 'set-cookie'],
  ['setCookie', 'set-cookie'],
  ['clearCookie', 'set-cookie'],
  ['links', 'link'],
  ['location', 'location'],
]);

/** They describe the body and the connection, which are not the handler's. */
const OWNED = new Set([
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

/** The parts of Node's and Fastify's response that tell whether its head has left. */
interface Head {
  readonly headersSent?: unknown;
  readonly sent?: unknown;
  readonly raw?: { readonly headersSent?: unknown };
}

type Setter = (...args: unknown[]) => unknown;
type SetterCall = [response: object, method: string | symbol, setter: Setter, args: readonly unknown[]];
type Entry = readonly [name: string, value: unknown];

/** Whether a method sets headers and nothing else. */
export const setsHeaders = (method: string | symbol): boolean => NAMING.has(method) || CERTAIN.has(method);

/** Calls a method that sets headers. @throws McpError when the head of the answer has left. */
export function applySetter(...call: SetterCall): void {
  prepareSetter(...call)();
}

/**
 * Checks such a call, and returns what makes it. Headers of the transport are left out without a word, since filters and
 * interceptors that an app wrote for its routes set them by habit.
 *
 * @throws McpError when the head of the answer has left.
 */
export function prepareSetter(...[response, method, setter, args]: SetterCall): () => void {
  const [first, ...rest] = args;
  const certain = CERTAIN.get(method);
  const named = certain ?? (typeof first === 'string' ? first : undefined);
  const given = named === undefined ? entriesOf(first) : [[named, rest[0]] as const];
  if (isSent(response)) throw tooLate(given.map(([name]) => name).join(', '));
  if (certain === undefined) for (const [name, value] of given) check(name, value);
  if (named === undefined) return () => setter.call(response, withoutOwned(first), ...rest);
  return OWNED.has(named.toLowerCase()) ? () => undefined : () => setter.call(response, ...args);
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

/** Fastify would notice only when it writes the answer, and then write another one. */
function check(name: string, value: unknown): void {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is no name of a header.`);
  for (const part of Array.isArray(value) ? value : [value]) {
    if (!VALUE.test(String(part))) throw new TypeError(`The header "${name}" holds what no header can carry.`);
  }
}

/** Of the same form, since each method takes its own. */
function withoutOwned(given: unknown): unknown {
  if (given instanceof Headers) return new Headers(entriesOf(given).filter(isFree) as [string, string][]);
  return given instanceof Map
    ? new Map(entriesOf(given).filter(isFree))
    : Object.fromEntries(entriesOf(given).filter(isFree));
}

const isFree = ([name]: Entry): boolean => !OWNED.has(name.toLowerCase());

function entriesOf(given: unknown): Entry[] {
  return given instanceof Map || given instanceof Headers
    ? [...(given as Map<string, unknown>)]
    : Object.entries(Object(given) as object);
}

import type { Caller } from '../model/peer.js';
import { networkOf } from '../model/network-address.js';
import { McpError } from '../errors/mcp.error.js';

const MAX_DEPTH = 16;

/** Where principals of tokens and of user tables keep who they are. */
const NAMES = ['sub', 'id'] as const;

/** Whose turn a request takes: the caller's where a guard has told who it is, else its connection's, else its address's. */
export function ownerOf(caller: Caller): unknown {
  return nameOf(caller.auth()) ?? caller.connection ?? keyOfAddress(caller);
}

function keyOfAddress({ address }: Caller): string | undefined {
  return address === undefined ? undefined : addressKey(address);
}

/**
 * Who a guard said it is, or else where the host says that it comes from. Unknown callers without an address are one
 * caller: a connection would be a poor name for one, since a client can open as many as it likes.
 */
export function callerKey(caller: Caller): string | number {
  const name = nameOf(caller.auth());
  if (name !== undefined) return name;
  const address = caller.address ?? ipOf(caller.request);
  return address === undefined ? NO_ADDRESS : addressKey(address);
}

function ipOf(request: unknown): string | undefined {
  try {
    const { ip } = (request ?? {}) as { readonly ip?: unknown };
    return typeof ip === 'string' ? ip : undefined;
  } catch {
    // Express looks for it at the connection, and some hosts have none.
    return undefined;
  }
}

/** Whether an owner is a connection or an address, and so nobody that a guard has identified. */
export function isNameless(owner: unknown): boolean {
  return typeof owner === 'string' ? owner.startsWith(KEY_MARK) : typeof owner !== 'number';
}

function nameOf(auth: unknown): string | number | undefined {
  if (isName(auth)) return auth;
  if (typeof auth !== 'object' || auth === null) return undefined;
  const fields = auth as Readonly<Record<string, unknown>>;
  for (const name of NAMES) if (isName(fields[name])) return fields[name];
  return undefined;
}

function isName(value: unknown): value is string | number {
  return typeof value === 'string' ? !value.startsWith(KEY_MARK) : typeof value === 'number';
}

/**
 * Text that is equal for equal data and for nothing else, in whatever order its members were set. `undefined` for what
 * holds more than data, since two such values cannot be told apart for certain: functions, maps, private members, cycles.
 */
export function fingerprint(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      return value === null ? 'null' : depth < MAX_DEPTH ? fingerprintObject(value, depth + 1) : undefined;
    default:
      return undefined;
  }
}

function fingerprintObject(value: object, depth: number): string | undefined {
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (Array.isArray(value))
    return join(
      '[',
      value.map((item) => fingerprint(item, depth)),
      ']',
    );
  const names = Object.keys(value).sort();
  // Whatever an object without members of its own holds, it hides.
  if (names.length === 0 && !isPlain(value)) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const members = names.map((name) => {
    const text = fingerprint(fields[name], depth);
    return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
  });
  return join('{', members, '}');
}

function join(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(',')}${close}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Begins what stands for an address, and no name of a caller. */
const KEY_MARK = '\u0000';

/** All callers of whom no address is known. */
const NO_ADDRESS = `${KEY_MARK}unknown`;

/** Longer than any address, and than what else a host may put in its place. */
const MAX_LENGTH = 128;

/** One key for all addresses that one client can choose from. */
export function addressKey(address: string): string {
  return address === '' || address.length > MAX_LENGTH ? NO_ADDRESS : `${KEY_MARK}address ${networkOf(address)}`;
}

/** Tells in one text who a caller is; `undefined` for nobody in particular. */
export type PrincipalReader = (auth: unknown) => string | undefined;

const isIdentifier = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/**
 * Who a caller is, whatever else a guard left about it that changes with every token: a name, or the `sub` of an `iss`, or
 * an `id`, or else all that it holds.
 *
 * @throws McpError for what cannot be compared: a state could be used by somebody else.
 */
export const readPrincipal: PrincipalReader = (auth) => {
  if (auth === undefined || auth === null) return undefined;
  const { sub, iss, id } = (typeof auth === 'object' ? auth : {}) as Readonly<Record<string, unknown>>;
  const name = isIdentifier(sub) ? { sub, iss: isIdentifier(iss) ? iss : undefined } : isIdentifier(id) ? { id } : auth;
  const text = fingerprint(name);
  if (text !== undefined) return text;
  throw new McpError(
    'MCP_PRINCIPAL_UNKNOWN',
    'A question cannot be asked, since what the guard left about the caller has neither "sub" nor "id" and holds more than plain data. Pass requestState: { principal: (auth) => ... } to McpModule.',
  );
};

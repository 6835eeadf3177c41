import type { Caller } from '../model/peer.js';
import { networkOf } from '../model/network-address.js';
import { McpError } from '../errors/mcp.error.js';

const MAX_DEPTH = 16;

/** Members that identify the principal of a token or a user record. */
const NAMES = ['sub', 'id'] as const;

/** The owner by which requests are queued fairly: the authenticated caller, else its connection, else its address. */
export function ownerOf(caller: Caller): unknown {
  return nameOf(caller.auth()) ?? caller.connection ?? keyOfAddress(caller);
}

function keyOfAddress({ address }: Caller): string | undefined {
  return address === undefined ? undefined : addressKey(address);
}

/**
 * Identifies a caller by its authentication, else by its address. All unauthenticated callers without an address share
 * one key; connections cannot identify them, since a client can open many.
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
    // Express reads the address from the connection, which some hosts do not have.
    return undefined;
  }
}

/** Whether an owner is a connection or an address, not an authenticated caller. */
export function isAnonymous(owner: unknown): boolean {
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
 * Returns a text that is equal only for equal data, regardless of the order of members. Returns `undefined` for values
 * that cannot be compared reliably: functions, maps, objects with private members, cycles.
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
  // An object without own members may hold hidden data.
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

/** Prefix of keys of addresses, which cannot occur in the name of a caller. */
const KEY_MARK = '\u0000';

/** Key of all callers without an address. */
const NO_ADDRESS = `${KEY_MARK}unknown`;

/** Longer than any address, or any other text that a host may put in its place. */
const MAX_LENGTH = 128;

/** Returns one key for all addresses that one client can choose from. */
export function addressKey(address: string): string {
  return address === '' || address.length > MAX_LENGTH ? NO_ADDRESS : `${KEY_MARK}address ${networkOf(address)}`;
}

/** Returns a text that identifies a caller; `undefined` for an anonymous one. */
export type PrincipalReader = (auth: unknown) => string | undefined;

const isIdentifier = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/**
 * Identifies a caller independently of data that changes with every token: by a name, by `sub` and `iss`, by `id`, or
 * else by all of its data.
 *
 * @throws McpError for values that cannot be compared, since another caller could then use the state.
 */
export const readPrincipal: PrincipalReader = (auth) => {
  if (auth === undefined || auth === null) return undefined;
  const { sub, iss, id } = (typeof auth === 'object' ? auth : {}) as Readonly<Record<string, unknown>>;
  const name = isIdentifier(sub) ? { sub, iss: isIdentifier(iss) ? iss : undefined } : isIdentifier(id) ? { id } : auth;
  const text = fingerprint(name);
  if (text !== undefined) return text;
  throw new McpError(
    'MCP_PRINCIPAL_UNKNOWN',
    'A question cannot be asked, since the authentication that the guard stored has neither "sub" nor "id", and contains more than plain data. Pass requestState: { principal: (auth) => ... } to McpModule.',
  );
};

import { isMetaKey } from '../../model/meta.rules.js';
import { LOG_LEVELS, type LogLevel } from '../../model/event.js';
import type { Fault } from '../../model/fault.js';
import { isFields, type Fields } from '../../model/fields.js';
import type { ClientPeer, Implementation } from '../../model/peer.js';
import { isBoundedId } from '../../wire/json-rpc.codec.js';
import type { ExchangeHead } from '../../wire/exchange.js';
import { countHeader, MCP_METHOD, MCP_NAME, MCP_PROTOCOL_VERSION, decodeHeaderValue } from '../../wire/headers.js';

/** The protocol revision of this folder. */
export const REVISION = '2026-07-28';

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** What every request contains about its sender. */
export interface Envelope {
  readonly client: ClientPeer;
  readonly meta: Fields;
  readonly progressToken?: string | number | bigint;
}

export type EnvelopeReading =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly fault: Fault };

const NO_META: Fields = Object.freeze({});
const KNOWN_KEYS = new Set<string>([...Object.values(META), 'progressToken', 'traceparent', 'tracestate', 'baggage']);

export function metaOf(params: Fields | undefined): Fields {
  const meta = params?.['_meta'];
  return isFields(meta) ? meta : NO_META;
}

/** The two keys that every request must have; the rest of the envelope is checked after the headers. */
export function missingEnvelope(params: Fields | undefined): Fault | undefined {
  const meta = metaOf(params);
  if (typeof meta[META.protocolVersion] !== 'string') return missing(META.protocolVersion, 'a string');
  if (!isFields(meta[META.clientCapabilities])) return missing(META.clientCapabilities, 'an object');
  return undefined;
}

function missing(key: string, type: string): Fault {
  return { kind: 'missing-envelope', message: `params._meta must carry "${key}" as ${type}` };
}

/** Reads the rest of the envelope, after the required keys were found. */
export function readEnvelope(params: Fields | undefined): EnvelopeReading {
  const meta = metaOf(params);
  const { [META.clientInfo]: info, [META.logLevel]: logLevel, progressToken } = meta;
  const problem = findEnvelopeProblem(meta, info, logLevel, progressToken);
  if (problem !== undefined) return { ok: false, fault: { kind: 'invalid-params', message: problem } };
  const client: ClientPeer = {
    protocolVersion: meta[META.protocolVersion] as string,
    capabilities: meta[META.clientCapabilities] as Fields,
    info: info as Implementation | undefined,
    logLevel: logLevel as LogLevel | undefined,
  };
  return { ok: true, envelope: { client, meta, progressToken: progressToken as Envelope['progressToken'] } };
}

/** Every request has the first two keys, and most have no others. */
function mayBeKey(key: string): boolean {
  return key === META.protocolVersion || key === META.clientCapabilities || KNOWN_KEYS.has(key) || isMetaKey(key);
}

function findEnvelopeProblem(
  meta: Fields,
  info: unknown,
  logLevel: unknown,
  progressToken: unknown,
): string | undefined {
  if (!Object.keys(meta).every(mayBeKey)) return 'A key of params._meta does not have the form of a _meta key';
  if (info !== undefined && !isImplementation(info)) return `"${META.clientInfo}" must have a name and a version`;
  if (logLevel !== undefined && !LOG_LEVELS.includes(logLevel as LogLevel)) {
    return `"${META.logLevel}" must be one of ${LOG_LEVELS.join(', ')}`;
  }
  if (progressToken !== undefined && !isBoundedId(progressToken)) {
    return 'progressToken must be a string of at most 256 bytes or a 64-bit integer';
  }
  return undefined;
}

function isImplementation(value: unknown): boolean {
  return (
    isFields(value) &&
    typeof value['name'] === 'string' &&
    typeof value['version'] === 'string' &&
    ['title', 'description', 'websiteUrl'].every((key) => value[key] === undefined || typeof value[key] === 'string') &&
    (value['icons'] === undefined || Array.isArray(value['icons']))
  );
}

type HeaderReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'value'; readonly value: string };

/** Joined values of repeated headers contain a comma, so only values with a comma need the raw list. */
function readHeader(head: ExchangeHead, name: string): HeaderReading {
  const value = head.headers[name];
  if (value === undefined) return { kind: 'absent' };
  if (typeof value !== 'string') return { kind: 'repeated' };
  if (value.includes(',') && countHeader(head.rawHeaders, name) > 1) return { kind: 'repeated' };
  return { kind: 'value', value };
}

/** The common case: repeated headers are joined by a comma. */
function isSingle({ headers }: ExchangeHead, name: string, value: string): boolean {
  return headers[name] === value && !value.includes(',');
}

const mismatch = (message: string, header?: string, body?: string): Fault => ({
  kind: 'header-mismatch',
  message,
  ...(header === undefined ? {} : { header }),
  ...(body === undefined ? {} : { body }),
});

function checkPlain(head: ExchangeHead, name: string, label: string, body: string): Fault | undefined {
  if (isSingle(head, name, body)) return undefined;
  const reading = readHeader(head, name);
  if (reading.kind === 'absent') return mismatch(`The header ${label} is missing`, undefined, body);
  if (reading.kind === 'repeated') return mismatch(`The header ${label} occurs more than once`);
  // Node has removed surrounding white space.
  const { value } = reading;
  return value === body ? undefined : mismatch(`The header ${label} differs from the body`, value, body);
}

export function checkVersionHeader(head: ExchangeHead | undefined, version: string): Fault | undefined {
  return head && checkPlain(head, MCP_PROTOCOL_VERSION, 'MCP-Protocol-Version', version);
}

export function checkMethodHeader(head: ExchangeHead | undefined, method: string): Fault | undefined {
  return head && checkPlain(head, MCP_METHOD, 'Mcp-Method', method);
}

/** The header is required even if the body has no name; a body without a name is an error of the params. */
export function checkNameHeader(head: ExchangeHead | undefined, name: unknown): Fault | undefined {
  if (head === undefined) return undefined;
  // A value with this prefix may be an encoding of another value.
  if (typeof name === 'string' && !name.startsWith('=') && isSingle(head, MCP_NAME, name)) return undefined;
  const reading = readHeader(head, MCP_NAME);
  if (reading.kind === 'absent') return mismatch('The header Mcp-Name is missing');
  if (reading.kind === 'repeated') return mismatch('The header Mcp-Name occurs more than once');
  if (typeof name !== 'string') return undefined;
  const decoded = decodeHeaderValue(reading.value);
  if (!decoded.ok) return mismatch('The header Mcp-Name is not properly encoded');
  return decoded.value === name
    ? undefined
    : mismatch('The header Mcp-Name differs from the body', decoded.value, name);
}

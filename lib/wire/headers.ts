import { isUtf8 } from 'node:buffer';

/** Lower case, as Node keys incoming headers. */
export const MCP_PROTOCOL_VERSION = 'mcp-protocol-version';
export const MCP_METHOD = 'mcp-method';
export const MCP_NAME = 'mcp-name';
export const MCP_PARAM_PREFIX = 'mcp-param-';
export const MCP_SESSION_ID = 'mcp-session-id';
export const LAST_EVENT_ID = 'last-event-id';

/** Counts how often a header was sent. Node keeps only the first value of some headers, such as `Host`, and joins others by a comma. */
export function countHeader(rawHeaders: readonly string[], lowerName: string): number {
  const { length } = lowerName;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === length && (name === lowerName || name.toLowerCase() === lowerName)) count += 1;
  }
  return count;
}

export type HeaderValueDecoding = { readonly ok: true; readonly value: string } | { readonly ok: false };

const PREFIX = '=?base64?';
const SUFFIX = '?=';
const VISIBLE_ASCII = /^[ -~]*$/;

/**
 * Decodes a value of `Mcp-Name` or `Mcp-Param-*`. The markers are case-sensitive; a value without both markers, or too
 * short for both, such as `=?base64?=`, is plain. Returns `ok: false` for non-canonical base64 and for invalid UTF-8.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function decodeHeaderValue(raw: string): HeaderValueDecoding {
  const value = trimmed(raw);
  if (!isMarked(value) || value.length < PREFIX.length + SUFFIX.length) return { ok: true, value };
  const payload = value.slice(PREFIX.length, -SUFFIX.length);
  const bytes = Buffer.from(payload, 'base64');
  // Node ignores invalid characters and missing padding, so only canonical base64 survives a round trip.
  if (bytes.toString('base64') !== payload || !isUtf8(bytes)) return { ok: false };
  return { ok: true, value: bytes.toString('utf8') };
}

/** Encodes a value for a header: plain if that is unambiguous, else as base64 between markers. */
export function encodeHeaderValue(value: string | number | bigint | boolean): string {
  const text = String(value);
  const isPlain = VISIBLE_ASCII.test(text) && text.trim() === text && !isMarked(text);
  return isPlain ? text : `${PREFIX}${Buffer.from(text, 'utf8').toString('base64')}${SUFFIX}`;
}

function isMarked(value: string): boolean {
  return value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

/** Removes only the white space that HTTP allows around a value; `trim` would also remove U+00A0. */
function trimmed(raw: string): string {
  let start = 0;
  let end = raw.length;
  while (start < end && isBlank(raw[start])) start += 1;
  while (end > start && isBlank(raw[end - 1])) end -= 1;
  return raw.slice(start, end);
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

export const JSON_MEDIA_TYPE = 'application/json';
export const SSE_MEDIA_TYPE = 'text/event-stream';

export interface AcceptedTypes {
  readonly json: boolean;
  readonly sse: boolean;
}

/** The value in the specification, which most clients send, so it is parsed only once. */
const USUAL_ACCEPT = `${JSON_MEDIA_TYPE}, ${SSE_MEDIA_TYPE}`;
const BOTH: AcceptedTypes = Object.freeze({ json: true, sse: true });

interface MediaType {
  /** Lower case, without parameters. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses an `Accept` header. For each type the most specific range decides, and of equally specific ranges the one with
 * the highest weight; a missing or empty header accepts both types.
 */
export function parseAccept(header: string | undefined): AcceptedTypes {
  if (header === undefined || header === USUAL_ACCEPT || header.trim() === '') return BOTH;
  const weights = new Map<string, number>();
  for (const part of splitOutsideQuotes(header, ',')) {
    const { essence, parameters } = parseMediaType(part);
    weights.set(essence, Math.max(weights.get(essence) ?? 0, weightOf(parameters.get('q'))));
  }
  const accepts = (...ranges: string[]): boolean => {
    const range = ranges.find((candidate) => weights.has(candidate));
    return range !== undefined && weights.get(range) !== 0;
  };
  return {
    json: accepts(JSON_MEDIA_TYPE, 'application/*', '*/*'),
    sse: accepts(SSE_MEDIA_TYPE, 'text/*', '*/*'),
  };
}

/** Whether a `Content-Type` header is JSON in UTF-8. */
export function isJsonContentType(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === JSON_MEDIA_TYPE) return true;
  const { essence, parameters } = parseMediaType(header);
  return essence === JSON_MEDIA_TYPE && /^utf-?8$/i.test(parameters.get('charset') ?? 'utf-8');
}

function parseMediaType(text: string): MediaType {
  const [essence = '', ...rest] = splitOutsideQuotes(text, ';');
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf('=');
    if (equals === -1) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    if (!parameters.has(name)) parameters.set(name, unquoted(part.slice(equals + 1).trim()));
  }
  return { essence: essence.trim().toLowerCase(), parameters };
}

function unquoted(value: string): string {
  const quoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
  return quoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** An invalid weight counts as absent, so that a typing error does not exclude a client. */
function weightOf(text: string | undefined): number {
  if (text === undefined || text === '') return 1;
  const weight = Number(text);
  return Number.isNaN(weight) ? 1 : Math.max(weight, 0);
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted && character === '\\') index += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

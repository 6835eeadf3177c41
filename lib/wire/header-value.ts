import { isUtf8 } from 'node:buffer';

/** Lower case, as Node keys incoming headers. */
export const MCP_PROTOCOL_VERSION = 'mcp-protocol-version';
export const MCP_METHOD = 'mcp-method';
export const MCP_NAME = 'mcp-name';
export const MCP_PARAM_PREFIX = 'mcp-param-';
export const MCP_SESSION_ID = 'mcp-session-id';
export const LAST_EVENT_ID = 'last-event-id';

/** How often a header was sent. Node keeps the first of some of them, such as `Host`, and joins others by a comma. */
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
 * Reads `Mcp-Name` and `Mcp-Param-*`. The marker is case-sensitive; what lacks its begin or end, or is too short for
 * both, such as `=?base64?=`, is a plain value. `ok: false` for base64 that is not canonical and for broken UTF-8.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function decodeHeaderValue(raw: string): HeaderValueDecoding {
  const value = trimmed(raw);
  if (!isMarked(value) || value.length < PREFIX.length + SUFFIX.length) return { ok: true, value };
  const payload = value.slice(PREFIX.length, -SUFFIX.length);
  const bytes = Buffer.from(payload, 'base64');
  // Node skips wrong characters and missing padding; only canonical text comes back the same.
  if (bytes.toString('base64') !== payload || !isUtf8(bytes)) return { ok: false };
  return { ok: true, value: bytes.toString('utf8') };
}

/** The value as a header can carry it: plain where that is unambiguous, else base64 between markers. */
export function encodeHeaderValue(value: string | number | bigint | boolean): string {
  const text = String(value);
  const isPlain = VISIBLE_ASCII.test(text) && text.trim() === text && !isMarked(text);
  return isPlain ? text : `${PREFIX}${Buffer.from(text, 'utf8').toString('base64')}${SUFFIX}`;
}

function isMarked(value: string): boolean {
  return value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

/** Only what HTTP counts as white space around a value; `trim` would take U+00A0 as well. */
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

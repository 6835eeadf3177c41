import type { Fault } from '../../model/fault.js';
import type { ExchangeHead } from '../../wire/exchange.js';
import { countHeader, MCP_METHOD, MCP_NAME, MCP_PROTOCOL_VERSION, decodeHeaderValue } from '../../wire/header-value.js';

type HeaderReading =
  { readonly kind: 'absent' } | { readonly kind: 'repeated' } | { readonly kind: 'value'; readonly value: string };

/** Joined values of repeated headers contain a comma, so only those need a look at the raw list. */
function readHeader(head: ExchangeHead, name: string): HeaderReading {
  const value = head.headers[name];
  if (value === undefined) return { kind: 'absent' };
  if (typeof value !== 'string') return { kind: 'repeated' };
  if (value.includes(',') && countHeader(head.rawHeaders, name) > 1) return { kind: 'repeated' };
  return { kind: 'value', value };
}

/** The common case: what is sent twice is joined by a comma. */
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
  if (reading.kind === 'repeated') return mismatch(`The header ${label} is there more than once`);
  // Node has taken the white space around it away.
  const { value } = reading;
  return value === body ? undefined : mismatch(`The header ${label} differs from the body`, value, body);
}

export function checkVersionHeader(head: ExchangeHead | undefined, version: string): Fault | undefined {
  return head && checkPlain(head, MCP_PROTOCOL_VERSION, 'MCP-Protocol-Version', version);
}

export function checkMethodHeader(head: ExchangeHead | undefined, method: string): Fault | undefined {
  return head && checkPlain(head, MCP_METHOD, 'Mcp-Method', method);
}

/** The header must be there even when the body lacks the name; a body without it is the params' fault. */
export function checkNameHeader(head: ExchangeHead | undefined, name: unknown): Fault | undefined {
  if (head === undefined) return undefined;
  // What begins so may be an encoding of something else.
  if (typeof name === 'string' && !name.startsWith('=') && isSingle(head, MCP_NAME, name)) return undefined;
  const reading = readHeader(head, MCP_NAME);
  if (reading.kind === 'absent') return mismatch('The header Mcp-Name is missing');
  if (reading.kind === 'repeated') return mismatch('The header Mcp-Name is there more than once');
  if (typeof name !== 'string') return undefined;
  const decoded = decodeHeaderValue(reading.value);
  if (!decoded.ok) return mismatch('The header Mcp-Name is not properly encoded');
  return decoded.value === name
    ? undefined
    : mismatch('The header Mcp-Name differs from the body', decoded.value, name);
}

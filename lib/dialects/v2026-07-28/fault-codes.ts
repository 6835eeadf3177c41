import type { Fault } from '../../model/fault.js';

/** How a fault looks on the wire. */
export interface FaultCode {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Codes whose HTTP status the protocol mandates; everything else is answered in band. */
const MANDATED_STATUS: Readonly<Record<number, number>> = {
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** The protocol has no codes for them, and these are outside of those that it reserves. */
const UNAUTHENTICATED = 401;
const REFUSED = 403;

const BUSY: FaultCode = Object.freeze({
  code: -32603,
  message: 'The server is busy; try again later',
  status: 503,
  headers: Object.freeze({ 'retry-after': '1' }),
});

/** Characters of a header or argument that an error quotes. */
const MAX_QUOTED = 256;

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes */
export function faultCode(fault: Fault, supported: readonly string[]): FaultCode {
  switch (fault.kind) {
    case 'method-not-found':
      return { code: -32601, message: 'Method not found', status: 404 };
    case 'missing-envelope':
      return { code: -32602, message: fault.message, status: 400 };
    case 'header-mismatch':
      return { code: -32020, message: fault.message, status: 400, ...mismatchData(fault) };
    case 'unsupported-version':
      return {
        code: -32022,
        message: `Unsupported protocol version; this server speaks ${supported.join(', ')}`,
        data: { requested: fault.requested, supported },
        status: 400,
      };
    case 'invalid-params':
      return { code: -32602, message: fault.message, status: 200, ...dataOf(fault) };
    case 'unknown-component':
      return { code: -32602, message: fault.message, status: 200 };
    case 'resource-not-found':
      return { code: -32602, message: fault.message, data: { uri: fault.uri }, status: 200 };
    case 'refused':
      return { code: REFUSED, message: fault.message, status: 200 };
    case 'unauthenticated':
      return challenge(UNAUTHENTICATED, fault, 'Bearer');
    case 'forbidden':
      return challenge(REFUSED, fault, fault.scopes && scopeChallenge(fault.scopes));
    case 'missing-capability':
      return {
        code: -32021,
        message: 'This request needs a client that declares more capabilities',
        data: { requiredCapabilities: fault.required },
        status: 400,
      };
    case 'protocol':
      return {
        code: fault.code,
        message: fault.message,
        status: MANDATED_STATUS[fault.code] ?? 200,
        ...dataOf(fault),
      };
    case 'overloaded':
      return BUSY;
    case 'shutting-down':
      return { code: -32603, message: 'The server is shutting down', status: 503 };
    case 'deadline':
      return { code: -32603, message: `The request took longer than ${fault.timeoutMs} ms`, status: 504 };
    case 'duplicate-id':
      return { code: -32600, message: 'The id is in use by another request that is still running', status: 409 };
    case 'internal':
      return { code: -32603, message: 'Internal error', status: 200, ...referenceData(fault) };
    default:
      return fault satisfies never;
  }
}

function mismatchData({ header, body }: Extract<Fault, { kind: 'header-mismatch' }>): { data?: unknown } {
  if (header === undefined && body === undefined) return {};
  return {
    data: {
      ...(header === undefined ? {} : { header: shortened(header) }),
      ...(body === undefined ? {} : { body: shortened(body) }),
    },
  };
}

/** Enough to see what differs; half a character would not be legal JSON. */
function shortened(text: string): string {
  if (text.length <= MAX_QUOTED) return text;
  return `${text.slice(0, MAX_QUOTED).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function referenceData({ reference }: Extract<Fault, { kind: 'internal' }>): { data?: unknown } {
  return reference === undefined ? {} : { data: { reference } };
}

function dataOf({ data }: { readonly data?: unknown }): { data?: unknown } {
  return data === undefined ? {} : { data };
}

/** The one kind of fault whose code is its status. */
function challenge(
  code: number,
  fault: { readonly message: string; readonly data?: unknown },
  words: string | undefined,
): FaultCode {
  const headers = words === undefined ? {} : { headers: { 'www-authenticate': words } };
  return { code, message: fault.message, status: code, ...headers, ...dataOf(fault) };
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function scopeChallenge(scopes: readonly string[]): string {
  const scope = scopes
    .join(' ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll(/["\\]/g, String.raw`\$&`);
  return `Bearer error="insufficient_scope", scope="${scope}"`;
}

import type { Fault } from '../../model/fault.js';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND } from '../../wire/json-rpc.js';

/** The wire form of a fault. */
export interface FaultCode {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const HEADER_MISMATCH = -32_020;
const MISSING_CAPABILITY = -32_021;
const UNSUPPORTED_VERSION = -32_022;

/** Codes whose HTTP status the protocol mandates; all other errors have status 200. */
const MANDATED_STATUS: Readonly<Record<number, number>> = {
  [METHOD_NOT_FOUND]: 404,
  [HEADER_MISMATCH]: 400,
  [MISSING_CAPABILITY]: 400,
  [UNSUPPORTED_VERSION]: 400,
};

/** The protocol defines no codes for these faults; the numbers are outside of its reserved range. */
const UNAUTHENTICATED = 401;
const REFUSED = 403;
const TOO_MANY_CALLS = 429;

const BUSY: FaultCode = Object.freeze({
  code: INTERNAL_ERROR,
  message: 'The server is busy; try again later',
  status: 503,
  headers: Object.freeze({ 'retry-after': '1' }),
});

/** Maximum number of characters of a header or argument that an error quotes. */
const MAX_QUOTED = 256;

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes */
export function faultCode(fault: Fault, supported: readonly string[]): FaultCode {
  switch (fault.kind) {
    case 'method-not-found':
      return { code: METHOD_NOT_FOUND, message: 'Method not found', status: 404 };
    case 'missing-envelope':
      return { code: INVALID_PARAMS, message: fault.message, status: 400 };
    case 'header-mismatch':
      return { code: HEADER_MISMATCH, message: fault.message, status: 400, ...mismatchData(fault) };
    case 'unsupported-version':
      return {
        code: UNSUPPORTED_VERSION,
        message: `Unsupported protocol version; this server speaks ${supported.join(', ')}`,
        data: { requested: fault.requested, supported },
        status: 400,
      };
    case 'invalid-params':
      return { code: INVALID_PARAMS, message: fault.message, status: 200, ...dataOf(fault) };
    case 'unknown-component':
      return { code: INVALID_PARAMS, message: fault.message, status: 200 };
    case 'resource-not-found':
      return { code: INVALID_PARAMS, message: fault.message, data: { uri: fault.uri }, status: 200 };
    case 'refused':
      return { code: REFUSED, message: fault.message, status: 200, ...dataOf(fault) };
    case 'too-many-calls':
      return { code: TOO_MANY_CALLS, message: fault.message, status: 200 };
    case 'unauthenticated':
      return challenge(UNAUTHENTICATED, fault, 'Bearer');
    case 'forbidden':
      return challenge(REFUSED, fault, fault.scopes && scopeChallenge(fault.scopes));
    case 'missing-capability':
      return missingCapability(fault.required);
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
      return { code: INTERNAL_ERROR, message: 'The server is shutting down', status: 503 };
    case 'deadline':
      return { code: INTERNAL_ERROR, message: `The request took longer than ${fault.timeoutMs} ms`, status: 504 };
    case 'duplicate-id':
      return {
        code: INVALID_REQUEST,
        message: 'The id is in use by another request that is still running',
        status: 409,
      };
    case 'internal':
      return { code: INTERNAL_ERROR, message: 'Internal error', status: 200, ...referenceData(fault) };
    default:
      return fault satisfies never;
  }
}

function missingCapability(requiredCapabilities: Readonly<Record<string, unknown>>): FaultCode {
  const message = 'This request needs a client that declares more capabilities';
  return { code: MISSING_CAPABILITY, message, data: { requiredCapabilities }, status: 400 };
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

/** Long enough to show the difference; half a surrogate pair would not be legal JSON. */
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

/** The only kind of fault whose code is its status. */
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

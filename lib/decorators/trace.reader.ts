/**
 * Trace data of a request in the formats of W3C Trace Context and Baggage; unverified.
 *
 * @see https://www.w3.org/TR/trace-context/
 * @publicApi
 */
export interface McpTrace {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
  /** Trace id in `traceparent`: 32 hexadecimal digits. */
  readonly traceId?: string;
  /** Span id of the caller in `traceparent`: 16 hexadecimal digits. */
  readonly spanId?: string;
  /** Sampled flag in `traceparent`: whether the caller may have recorded its span. */
  readonly sampled?: boolean;
}

const NOTHING: McpTrace = Object.freeze({});

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

const STATE_KEY = /^[a-z0-9][a-z0-9_*/-]{0,255}$|^[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}$/;
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_STATES = 32;

const BAGGAGE_KEY = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BAGGAGE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** In ASCII text, `trim` removes only characters that the grammars define as white space. */
const ASCII = /^[\t\x20-\x7e]*$/;
const MAX_LENGTH = 8_192;

/**
 * Reads the trace data in the `_meta` of a request. Invalid values are left out: an intermediary may have set them, and a
 * call must not fail because of them.
 *
 * @see https://www.w3.org/TR/trace-context/
 */
export function readTrace(meta: Readonly<Record<string, unknown>>): McpTrace {
  const { traceparent, tracestate, baggage } = meta;
  // Most requests have no trace data.
  if (traceparent === undefined && baggage === undefined) return NOTHING;
  const parent = readParent(traceparent);
  return Object.freeze({
    ...parent,
    // `tracestate` is meaningless without `traceparent`.
    ...(parent !== undefined && isState(tracestate) ? { tracestate } : {}),
    ...(isBaggage(baggage) ? { baggage } : {}),
  });
}

function readParent(value: unknown): McpTrace | undefined {
  const match = isShort(value) ? PARENT.exec(value) : null;
  if (match === null) return undefined;
  const [traceparent, version, traceId, spanId, flags, more] = match;
  // Version ff is invalid, and version 00 has no further fields.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceparent, traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

function isState(value: unknown): value is string {
  if (!isShort(value)) return false;
  const members = value.split(',').map((member) => member.trim());
  const keys = members.filter((member) => member !== '').map(stateKey);
  return (
    keys.length > 0 && keys.length <= MAX_STATES && !keys.includes(undefined) && new Set(keys).size === keys.length
  );
}

/** Returns `undefined` for an invalid entry. */
function stateKey(member: string): string | undefined {
  const equals = member.indexOf('=');
  const key = member.slice(0, Math.max(equals, 0));
  return STATE_KEY.test(key) && STATE_VALUE.test(member.slice(equals + 1)) ? key : undefined;
}

/** Checks a list of `key=value` members, which may have properties after semicolons; a property needs no value. */
function isBaggage(value: unknown): value is string {
  if (!isShort(value)) return false;
  return value.split(',').every((member) => {
    const [pair, ...properties] = member.split(';');
    return isPair(pair) && properties.every((property) => isPair(property) || BAGGAGE_KEY.test(property.trim()));
  });
}

function isPair(text: string): boolean {
  const equals = text.indexOf('=');
  return (
    equals !== -1 && BAGGAGE_KEY.test(text.slice(0, equals).trim()) && BAGGAGE_VALUE.test(text.slice(equals + 1).trim())
  );
}

/** The specifications do not require longer values to be passed on. */
function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && ASCII.test(value);
}

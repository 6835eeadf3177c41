import { Buffer, isAscii, isUtf8 } from 'node:buffer';

import { readExactInteger, restoreExactIntegers } from './exact-integers.js';
import { MAX_DEPTH, MAX_DIGITS, inspectJson } from './json.inspector.js';

export type JsonDecoding =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

const LONE_SURROGATE = /\p{Surrogate}/u;
const REASONS = {
  depth: `nested deeper than ${MAX_DEPTH}`,
  digits: `a number of more than ${MAX_DIGITS} digits`,
  overflow: 'a number that is too large',
  surrogate: 'an unpaired surrogate',
} as const;

/**
 * Decodes one JSON text. Never throws and never quotes the text. Ids and progress tokens beyond ±(2^53 - 1) become
 * `bigint`; all other values are as `JSON.parse` returns them: the last duplicate key counts, and `__proto__` is an own key.
 */
export function decodeJson(input: Uint8Array | string): JsonDecoding {
  const text = decodeText(input);
  if (text === undefined) return { ok: false, reason: 'not valid UTF-8' };
  // Digits have the same bytes in UTF-8 and Latin-1.
  const bytes = typeof input === 'string' ? Buffer.from(input, 'latin1') : input;
  const inspection = hasSuspectNumber(bytes) || mayBeDeep(text) ? inspectJson(text) : undefined;
  if (inspection?.fault !== undefined) return { ok: false, reason: REASONS[inspection.fault] };
  try {
    const value: unknown = JSON.parse(text);
    if (hasUnpairedEscape(text)) return { ok: false, reason: REASONS.surrogate };
    if (inspection !== undefined && inspection.bigIntegers.length > 0) {
      restoreExactIntegers(value, text, inspection.bigIntegers);
    }
    return { ok: true, value };
  } catch {
    return { ok: false, reason: 'not valid JSON' };
  }
}

/**
 * Returns the digits of an integer beyond ±(2^53 - 1) at a path of a decoded text; `undefined` for any other value.
 */
export function findExactInteger(input: Uint8Array | string, path: readonly string[]): string | undefined {
  const text = decodeText(input);
  return text === undefined ? undefined : readExactInteger(text, inspectJson(text).bigIntegers, path);
}

function decodeText(input: Uint8Array | string): string | undefined {
  if (typeof input === 'string') {
    return LONE_SURROGATE.test(input) ? undefined : withoutByteOrderMark(input);
  }
  const bytes = Buffer.isBuffer(input) ? input : Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? withoutByteOrderMark(bytes.toString('utf8')) : undefined;
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** In valid JSON a backslash always starts an escape inside a string. */
function hasUnpairedEscape(text: string): boolean {
  if (!text.includes('\\u') || !/\\u[dD][89a-fA-F]/.test(text)) return false;
  let expectedLow = -1;
  for (const { 0: escape, index } of text.matchAll(/\\(?:u[0-9a-fA-F]{4}|.)/g)) {
    const unit = escape.length === 6 ? Number.parseInt(escape.slice(2), 16) : 0;
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow !== (expectedLow === index)) return true;
    if (expectedLow !== -1 && expectedLow !== index) return true;
    expectedLow = unit >= 0xd800 && unit <= 0xdbff ? index + 6 : -1;
  }
  return expectedLow !== -1;
}

/**
 * A text with at most 128 opening brackets, including those in strings, cannot be nested deeper. Each bracket needs a
 * closing one, so a valid short text cannot be too deep either.
 */
function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  const braces = countUpTo(text, '{', MAX_DEPTH + 1);
  return braces + countUpTo(text, '[', MAX_DEPTH + 1 - braces) > MAX_DEPTH;
}

function countUpTo(text: string, character: string, limit: number): number {
  let count = 0;
  let position = -1;
  while (count < limit) {
    position = text.indexOf(character, position + 1);
    if (position === -1) break;
    count += 1;
  }
  return count;
}

/** Literals of 15 digits and exponents of two digits are always safe, finite and within the limit of 64 digits. */
const SAFE_DIGITS = 15;
const SAFE_EXPONENT_DIGITS = 2;
const STEP = SAFE_EXPONENT_DIGITS + 1;

const PLUS = 0x2b;
const LOWER_E = 0x65;
const CASE_BIT = 0x20;

/**
 * Whether the bytes of a text may contain a number that has to be inspected. Checking every third byte is sufficient, since
 * such a number has at least three digits in a row; a regular expression would check each byte.
 */
export function hasSuspectNumber(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let index = STEP - 1; index < length; index += STEP) {
    if (isDigit(bytes[index]) && isSuspect(bytes, index)) return true;
  }
  return false;
}

/** Measures the run of digits around a position, and checks for an exponent before it. */
function isSuspect(bytes: Uint8Array, place: number): boolean {
  let start = place;
  let end = place + 1;
  while (isDigit(bytes[start - 1])) start -= 1;
  while (end - start <= SAFE_DIGITS && isDigit(bytes[end])) end += 1;
  if (end - start > SAFE_DIGITS) return true;
  if (end - start <= SAFE_EXPONENT_DIGITS) return false;
  const mark = bytes[start - 1] === PLUS ? start - 2 : start - 1;
  return (bytes[mark] | CASE_BIT) === LOWER_E && isDigit(bytes[mark - 1]);
}

/** Out-of-range reads compare false. Most bytes are letters, which the first comparison excludes. */
function isDigit(code: number): boolean {
  return code <= 0x39 && code >= 0x30;
}

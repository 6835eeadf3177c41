import type { Span } from './exact-integers.js';

export const MAX_DEPTH = 128;
export const MAX_DIGITS = 64;

export interface JsonInspection {
  readonly fault?: 'depth' | 'digits' | 'overflow';
  /** Numbers without fraction and exponent beyond ±(2^53 - 1). */
  readonly bigIntegers: readonly Span[];
}

const QUOTE = 0x22;
const MINUS = 0x2d;
/** Characters of a number that are not digits: a sign, a point, "e" and its sign. */
const MAX_OTHER_CHARACTERS = 4;

/**
 * Scans the tokens without recursion before the text is parsed; the result for invalid JSON is unspecified.
 * The digits of a number include those of fraction and exponent, but not the sign.
 */
export function inspectJson(text: string): JsonInspection {
  let depth = 0;
  const bigIntegers: Span[] = [];
  let position = 0;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      position = endOfString(text, position);
    } else if (code === MINUS || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, position);
      const kind = classify(text, position, end);
      if (kind === 'digits' || kind === 'overflow') return { fault: kind, bigIntegers };
      if (kind === 'big-integer') bigIntegers.push([position, end]);
      position = end;
    } else {
      if (code === 0x5b || code === 0x7b) depth += 1;
      else if (code === 0x5d || code === 0x7d) depth -= 1;
      if (depth > MAX_DEPTH) return { fault: 'depth', bigIntegers };
      position += 1;
    }
  }
  return { bigIntegers };
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, position: number): boolean {
  if (position === -1) return false;
  let before = position - 1;
  while (text[before] === '\\') before -= 1;
  return (position - before) % 2 === 0;
}

/** Finds the end of a number: white space or one of `,]}`. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code <= 0x20 || code === 0x2c || code === 0x5d || code === 0x7d) break;
    end += 1;
  }
  return end;
}

function classify(text: string, start: number, end: number): 'digits' | 'overflow' | 'big-integer' | 'plain' {
  if (end - start > MAX_DIGITS + MAX_OTHER_CHARACTERS) return 'digits';
  const literal = text.slice(start, end);
  if (literal.replace(/\D/g, '').length > MAX_DIGITS) return 'digits';
  const value = Number(literal);
  if (Math.abs(value) === Infinity) return 'overflow';
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(literal) ? 'big-integer' : 'plain';
}

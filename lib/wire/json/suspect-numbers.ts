/** Literals of 15 digits and exponents of two digits are always safe, finite and within the limit of 64 digits. */
const SAFE_DIGITS = 15;
const SAFE_EXPONENT_DIGITS = 2;
const STEP = SAFE_EXPONENT_DIGITS + 1;

const PLUS = 0x2b;
const LOWER_E = 0x65;
const CASE_BIT = 0x20;

/**
 * Whether a text may hold a number that has to be looked at. Every third character is enough, since such a number has at
 * least three digits in a row; a regular expression would look at each.
 */
export function hasSuspectNumber(text: string): boolean {
  for (let index = STEP - 1; index < text.length; index += STEP) {
    if (isDigit(text.charCodeAt(index)) && isSuspect(text, index)) return true;
  }
  return false;
}

/** Looks at the run of digits around a place, and for the sign of an exponent before it. */
function isSuspect(text: string, place: number): boolean {
  let start = place;
  let end = place + 1;
  while (isDigit(text.charCodeAt(start - 1))) start -= 1;
  while (end - start <= SAFE_DIGITS && isDigit(text.charCodeAt(end))) end += 1;
  if (end - start > SAFE_DIGITS) return true;
  if (end - start <= SAFE_EXPONENT_DIGITS) return false;
  const mark = text.charCodeAt(start - 1) === PLUS ? start - 2 : start - 1;
  return (text.charCodeAt(mark) | CASE_BIT) === LOWER_E && isDigit(text.charCodeAt(mark - 1));
}

/** Outside of the text there is `NaN`, which is none. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

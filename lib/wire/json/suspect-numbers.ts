/** Literals of 15 digits and exponents of two digits are always safe, finite and within the limit of 64 digits. */
const SAFE_DIGITS = 15;
const SAFE_EXPONENT_DIGITS = 2;
const STEP = SAFE_EXPONENT_DIGITS + 1;

const PLUS = 0x2b;
const LOWER_E = 0x65;
const CASE_BIT = 0x20;

/**
 * Whether a text, as its bytes, may hold a number that has to be looked at. Every third byte is enough, since such a number
 * has at least three digits in a row; a regular expression would look at each.
 */
export function hasSuspectNumber(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let index = STEP - 1; index < length; index += STEP) {
    if (isDigit(bytes[index]) && isSuspect(bytes, index)) return true;
  }
  return false;
}

/** Looks at the run of digits around a place, and for the sign of an exponent before it. */
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

/** Outside of the bytes there is `undefined`, which is none. Most bytes are letters, which the first comparison tells. */
function isDigit(code: number): boolean {
  return code <= 0x39 && code >= 0x30;
}

/**
 * Whether `value` is a multiple of `divisor`, counting as people write decimals:
 * 19.99 is a multiple of 0.01 although the binary quotient is not whole.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !(divisor > 0)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const a = toDecimal(value);
  const b = toDecimal(divisor);
  const exponent = Math.min(a.exponent, b.exponent);
  return scale(a, exponent) % scale(b, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scale(decimal: Decimal, exponent: number): bigint {
  return decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
}

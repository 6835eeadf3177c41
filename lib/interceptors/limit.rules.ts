/** @throws TypeError naming the option. */
export function requireWhole(value: number, option: string, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`The option "${option}" must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}.`);
}

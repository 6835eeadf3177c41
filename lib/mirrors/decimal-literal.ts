const LITERAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/;

/** JSON bodies have no longer numbers either; it keeps what follows cheap, whatever a header holds. */
const MAX_LENGTH = 80;

/** Whether two texts are the same number, to the last digit. Only what JSON calls a number is one. */
export function isSameNumber(one: string, other: string): boolean {
  const number = normalForm(one);
  return number !== undefined && number === normalForm(other);
}

/** `42`, `42.0` and `4.2e1` have one form. */
function normalForm(text: string): string | undefined {
  const match = text.length > MAX_LENGTH ? null : LITERAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${exponent}`;
}

import type { JsonSchema } from '../../model/json-schema.js';

/** The meaning of a rule in JSON Schema; with `exact`, the rule itself does not have to run. */
export interface RuleMeaning {
  readonly fragment: JsonSchema;
  readonly exact: boolean;
}

/** The arguments of a rule cannot be expressed in JSON Schema. */
export class InexpressibleError extends Error {}

type Constraints = readonly unknown[];
type Mapping = (constraints: Constraints) => RuleMeaning;

const exact = (fragment: JsonSchema): RuleMeaning => ({ fragment, exact: true });
const narrows = (fragment: JsonSchema): RuleMeaning => ({ fragment, exact: false });
const always =
  (meaning: RuleMeaning): Mapping =>
  () =>
    meaning;

/** Meaning of a built-in rule by the name that class-validator stores; `undefined` for rules of the author. */
export function meaningOf(name: string, constraints: Constraints): RuleMeaning | undefined {
  if (NARROWING_STRINGS.has(name)) return narrows({ type: 'string' });
  return MAPPINGS.get(name)?.(constraints);
}

const MAPPINGS = new Map<string, Mapping>([
  ['isString', always(exact({ type: 'string' }))],
  ['isBoolean', always(exact({ type: 'boolean' }))],
  ['isInt', always(exact({ type: 'integer' }))],
  ['isNumber', ([options]) => exact({ type: 'number', ...decimals(options) })],
  ['isArray', always(exact({ type: 'array' }))],
  ['isObject', always(exact({ type: 'object' }))],
  [
    'isNotEmptyObject',
    ([options]) => ({ fragment: { type: 'object', minProperties: 1 }, exact: options === undefined }),
  ],
  ['isEmpty', always(exact({ enum: ['', null] }))],
  ['min', ([limit]) => exact({ type: 'number', minimum: finite(limit) })],
  ['max', ([limit]) => exact({ type: 'number', maximum: finite(limit) })],
  ['isPositive', always(exact({ type: 'number', exclusiveMinimum: 0 }))],
  ['isNegative', always(exact({ type: 'number', exclusiveMaximum: 0 }))],
  ['isDivisibleBy', ([divisor]) => exact({ type: 'number', multipleOf: count(divisor, 1) })],
  ['minLength', ([length]) => exact({ type: 'string', minLength: count(length) })],
  ['maxLength', ([length]) => exact({ type: 'string', maxLength: count(length) })],
  ['isLength', ([min, max]) => exact({ type: 'string', ...bound('minLength', min), ...bound('maxLength', max) })],
  ['matches', ([pattern, flags]) => matching(pattern, flags)],
  ['contains', ([seed]) => exact({ type: 'string', pattern: literal(seed) })],
  ['notContains', ([seed]) => exact({ type: 'string', not: { pattern: literal(seed) } })],
  ['isIn', ([values]) => exact({ enum: scalars(values) })],
  ['isNotIn', ([values]) => exact({ not: { enum: scalars(values) } })],
  ['isEnum', ([entity]) => exact({ enum: enumValues(entity) })],
  ['equals', ([value]) => exact({ const: scalars([value])[0] })],
  ['notEquals', ([value]) => exact({ not: { const: scalars([value])[0] } })],
  ['arrayNotEmpty', always(exact({ type: 'array', minItems: 1 }))],
  ['arrayMinSize', ([size]) => exact({ type: 'array', minItems: count(size) })],
  ['arrayMaxSize', ([size]) => exact({ type: 'array', maxItems: count(size) })],
  ['arrayUnique', always(exact({ type: 'array', uniqueItems: true }))],
  [
    'arrayContains',
    ([values]) => exact({ type: 'array', allOf: scalars(values).map((value) => ({ contains: { const: value } })) }),
  ],
  ['arrayNotContains', ([values]) => exact({ type: 'array', not: { contains: { enum: scalars(values) } } })],
  ['isEmail', ([options]) => narrows({ type: 'string', ...(options === undefined ? { format: 'email' } : {}) })],
  ['isUuid', always(narrows({ type: 'string', format: 'uuid' }))],
  // `isUrl` accepts `example.com` unless a protocol is required; `uri` does not.
  ['isUrl', always(narrows({ type: 'string' }))],
  ['isIp', ([version]) => narrows({ type: 'string', ...ipFormat(version) })],
  // Every character takes at least one byte.
  ['isByteLength', ([, max]) => narrows({ type: 'string', ...bound('maxLength', max) })],
  ['isRFC3339', always(narrows({ type: 'string' }))],
  // ISO 8601 has more forms than any format; all of them begin with a year.
  ['isDateString', always(narrows({ type: 'string', pattern: '^[+-]?[0-9]{4}' }))],
  ['isIso8601', always(narrows({ type: 'string', pattern: '^[+-]?[0-9]{4}' }))],
  ['isLatitude', always(narrows({ type: ['number', 'string'] }))],
  ['isLongitude', always(narrows({ type: ['number', 'string'] }))],
]);

const NARROWING_STRINGS = new Set(
  `isLatLong isAlpha isAlphanumeric isDecimal isAscii isBase32 isBase58 isBase64 isCreditCard isCurrency isFqdn
  isFullWidth isHalfWidth isVariableWidth isHexColor isHexadecimal isMacAddress isPort isIsbn isIsin isJson isJwt
  isLowercase isMobilePhone isISO31661Alpha2 isISO31661Alpha3 isISO31661Numeric isMongoId isMultibyte isSurrogatePair
  IsFirebasePushId isUppercase isPhoneNumber isMilitaryTime isHash isISSN isBooleanString isNumberString isBIC isBtcAddress
  isDataURI isEAN isEthereumAddress isHSL isIBAN isIdentityCard isISRC isLocale isMagnetURI isMimeType isOctal
  isPassportNumber isPostalCode isRgbColor isSemVer isStrongPassword isTimeZone isTaxId isISO4217CurrencyCode isISO6391`.split(
    /\s+/,
  ),
);

function decimals(options: unknown): JsonSchema {
  const places =
    typeof options === 'object' && options !== null && 'maxDecimalPlaces' in options
      ? options.maxDecimalPlaces
      : undefined;
  return places === undefined ? {} : { multipleOf: Number(`1e-${count(places)}`) };
}

function matching(source: unknown, modifiers: unknown): RuleMeaning {
  const flags = source instanceof RegExp ? source.flags : typeof modifiers === 'string' ? modifiers : '';
  if (flags.includes('y')) throw new InexpressibleError('its flag "y" makes the result depend on earlier calls');
  const pattern = source instanceof RegExp ? source.source : String(source);
  // i, m, s and v have no counterpart, so the schema accepts more than the rule.
  const known = /^[dgu]*$/.test(flags);
  return { fragment: { type: 'string', ...(known ? { pattern } : {}) }, exact: known && flags.includes('u') };
}

function literal(seed: unknown): string {
  return String(seed).replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

function ipFormat(version: unknown): JsonSchema {
  if (String(version) === '4') return { format: 'ipv4' };
  return String(version) === '6' ? { format: 'ipv6' } : {};
}

function enumValues(entity: unknown): unknown[] {
  const table = entity as Readonly<Record<string, unknown>>;
  // A numeric enum also maps its numbers back to names: these entries are not values.
  const isReverse = (key: string, value: unknown): boolean =>
    typeof value === 'string' && typeof table[value] === 'number' && String(table[value]) === key;
  return scalars(
    Object.entries(table)
      .filter(([key, value]) => !isReverse(key, value))
      .map(([, value]) => value),
  );
}

function scalars(values: unknown): unknown[] {
  const list: unknown[] = Array.isArray(values) ? values : [values];
  const isScalar = (value: unknown): boolean =>
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (list.length === 0) throw new InexpressibleError('it names no value');
  if (!list.every(isScalar))
    throw new InexpressibleError('it compares with something else than a string, number, boolean or null');
  return [...new Set(list)];
}

function bound(keyword: string, value: unknown): JsonSchema {
  return value === undefined || value === null ? {} : { [keyword]: count(value) };
}

function count(value: unknown, least = 0): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw new InexpressibleError(`it needs a whole number from ${least} up`);
}

function finite(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new InexpressibleError('it needs a finite number');
}

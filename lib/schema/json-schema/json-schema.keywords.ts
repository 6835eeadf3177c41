import type { Ajv2020 as Ajv, ErrorObject, KeywordCxt } from 'ajv/dist/2020.js';

import { isFields } from '../../model/fields.js';
import { hasUniqueItems } from '../json-value.js';
import type { CodeWriter } from './json-schema.work.js';

/** From this length on, a lookup table is faster than comparisons in sequence. */
const MIN_TABLE = 16;

/** Replaces the keywords and formats of ajv that are wrong, or whose cost grows faster than the value. */
export function replaceKeywords(ajv: Ajv, writer: CodeWriter): void {
  // ajv divides binary numbers: 19.99 / 0.01 is not whole.
  define(ajv, 'multipleOf', 'number', 'number', (divisor, value) => isMultipleOf(value as number, divisor as number));
  // ajv compares pairs of items.
  define(
    ajv,
    'uniqueItems',
    'array',
    'boolean',
    (wanted, items) => wanted !== true || hasUniqueItems(items as unknown[]),
  );
  wrap(ajv, 'contains', withoutErrorsOfItems);
  wrap(ajv, 'enum', (code) => withTable(code, writer));
  // ajv-formats tries every end of a user name with every port.
  ajv.addFormat('url', isUrl);
}

/** Unicode mode, as 2020-12 requires; patterns that only the older syntax allows still work. */
export function createPattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

function define(
  ajv: Ajv,
  keyword: string,
  type: 'array' | 'number',
  schemaType: 'boolean' | 'number',
  isValid: (schema: unknown, value: unknown) => boolean,
): void {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type,
    schemaType,
    errors: true,
    compile: (schema: unknown) => {
      const check: { (value: unknown): boolean; errors?: Partial<ErrorObject>[] } = (value) => {
        if (isValid(schema, value)) return true;
        check.errors = [{ keyword, params: { [keyword]: schema } }];
        return false;
      };
      return check;
    },
  });
}

type WriteCode = (context: KeywordCxt) => void;

/** Keeps the position of the keyword, as some keywords use the results of keywords before them. */
function wrap(ajv: Ajv, keyword: string, change: (code: WriteCode) => WriteCode): void {
  const rule = ajv.RULES.all[keyword];
  if (typeof rule !== 'object' || !('code' in rule.definition)) throw new TypeError(`ajv has no keyword ${keyword}`);
  const { definition } = rule;
  rule.definition = { ...definition, code: change((context) => definition.code(context)) };
}

/** ajv keeps an error for each item that does not match, and most items of a list do not match. */
function withoutErrorsOfItems(code: WriteCode): WriteCode {
  return (context) => {
    const subschema: KeywordCxt['subschema'] = (place, valid) => {
      const written = context.subschema({ ...place, createErrors: false }, valid);
      context.reset();
      return written;
    };
    code(Object.create(context, { subschema: { value: subschema } }) as KeywordCxt);
  };
}

function withTable(code: WriteCode, { _ }: CodeWriter): WriteCode {
  return (context) => {
    const values: unknown = context.schema;
    if (
      !Array.isArray(values) ||
      values.length < MIN_TABLE ||
      values.some((value) => isFields(value) || Array.isArray(value))
    ) {
      code(context);
      return;
    }
    const table = context.gen.scopeValue('obj', { ref: new Set(values) });
    context.pass(_`${table}.has(${context.data})`);
  };
}

/**
 * Returns whether `value` is a multiple of `divisor` in decimal arithmetic: 19.99 is a multiple of 0.01, although the
 * binary quotient is not whole.
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

const SCHEME = /^(?:https?|ftp):\/\//iu;
const SPACE = /\s/u;
/** Host and port as the format `url` of ajv-formats has them: a public address, or a name with a top-level domain. */
const HOST =
  /^(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{a1}-\u{ffff}]+-)*[a-z0-9\u{a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{a1}-\u{ffff}]+-)*[a-z0-9\u{a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{a1}-\u{ffff}]{2,})))(?::\d{2,5})?$/iu;

/**
 * Accepts what the format `url` of ajv-formats accepts, in linear time. Its expression lets any `@` end the user name
 * and tries all of them; here the text between two of them is read once.
 */
export function isUrl(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return false;
  const rest = text.slice(scheme.length);
  // Neither the user name nor the path contains a space. Some kinds of space may be part of a host.
  const firstSpace = SPACE.exec(rest)?.index ?? rest.length;
  const lastSpace = firstSpace === rest.length ? -1 : findLastSpace(rest);
  let slash = -1;
  for (let start = 0, at = -1; start <= firstSpace && at < rest.length; start = at + 1) {
    at = endOf(rest.indexOf('@', start), rest);
    if (slash < start) slash = endOf(rest.indexOf('/', start), rest);
    const isHost = slash <= at && start !== 1 && HOST.test(rest.slice(start, slash));
    if (isHost && lastSpace < slash) return true;
  }
  return false;
}

function endOf(index: number, text: string): number {
  return index === -1 ? text.length : index;
}

function findLastSpace(text: string): number {
  let index = text.length - 1;
  while (!SPACE.test(text.charAt(index))) index -= 1;
  return index;
}

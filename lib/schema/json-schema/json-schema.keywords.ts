import type { Ajv2020 as Ajv, ErrorObject, KeywordCxt } from 'ajv/dist/2020.js';
import { isFields } from '../../model/fields.js';
import { hasUniqueItems } from '../keywords/canonical-json.js';
import { isMultipleOf } from '../keywords/exact-decimal.js';
import { isUrl } from '../keywords/url-format.js';
import type { CodeWriter } from './json-schema.work.js';

/** From here on a table is faster than comparisons one after the other. */
const MIN_TABLE = 16;

/** Replaces those keywords and formats of ajv that are wrong or whose cost grows faster than the value. */
export function replaceKeywords(ajv: Ajv, writer: CodeWriter): void {
  // Divides in binary: 19.99 / 0.01 is not whole.
  define(ajv, 'multipleOf', 'number', 'number', (divisor, value) => isMultipleOf(value as number, divisor as number));
  // Compares pairs of items.
  define(
    ajv,
    'uniqueItems',
    'array',
    'boolean',
    (wanted, items) => wanted !== true || hasUniqueItems(items as unknown[]),
  );
  wrap(ajv, 'contains', withoutErrorsOfItems);
  wrap(ajv, 'enum', (code) => withTable(code, writer));
  // Tries every end of a user name with every port.
  ajv.addFormat('url', isUrl);
}

/** Unicode mode as 2020-12 asks; patterns that only the older syntax allows still work. */
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

/** In its place, as some keywords build on what those before them found. */
function wrap(ajv: Ajv, keyword: string, change: (code: WriteCode) => WriteCode): void {
  const rule = ajv.RULES.all[keyword];
  if (typeof rule !== 'object' || !('code' in rule.definition)) throw new TypeError(`ajv has no keyword ${keyword}`);
  const { definition } = rule;
  rule.definition = { ...definition, code: change((context) => definition.code(context)) };
}

/** ajv keeps an error for each item that does not match, which is what most items of a list do. */
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

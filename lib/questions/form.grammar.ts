import { isFields } from '../model/fields.js';
import type { JsonSchema } from '../model/json-schema.js';

/** Returns what a value must be, or `undefined` if it is valid. */
export type KeywordRule = (value: unknown, property: JsonSchema) => string | undefined;

type Grammar = Readonly<Record<string, KeywordRule>>;

/** Kinds of fields of a form. */
export type FieldKind = 'text' | 'choice' | 'titled choice' | 'number' | 'yes or no' | 'list of choices';

export const FORM_FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

const rule =
  (expected: string, accepts: (value: unknown) => boolean): KeywordRule =>
  (value) =>
    accepts(value) ? undefined : expected;

const isText = (value: unknown): value is string => typeof value === 'string';
const text = rule('a string', isText);
const number = rule('a number', Number.isFinite);
const count = rule('a whole number from 0 up', (value) => Number.isSafeInteger(value) && Number(value) >= 0);

const notes: Grammar = { title: text, description: text };
const values = rule('a list of different strings, one at least', areValues);
const options = rule('a list of {const, title} with different strings, one at least', areOptions);

/** The keywords that each kind of field may have. */
export const GRAMMARS: Readonly<Record<FieldKind, Grammar>> = {
  text: {
    ...notes,
    minLength: count,
    maxLength: count,
    format: rule('"email", "uri", "date" or "date-time"', (value) => FORM_FORMATS.includes(value)),
    default: text,
  },
  choice: { ...notes, enum: values, enumNames: areNames, default: text },
  'titled choice': { ...notes, oneOf: options, default: text },
  number: { ...notes, minimum: number, maximum: number, default: number },
  'yes or no': { ...notes, default: rule('true or false', (value) => typeof value === 'boolean') },
  'list of choices': {
    ...notes,
    items: rule('{type: "string", enum: [...]} or {anyOf: [{const, title}]}', areItems),
    minItems: count,
    maxItems: count,
    // The allowed choices are in `items`.
    default: rule('a list of strings', (value) => Array.isArray(value) && value.every(isText)),
  },
};

/** Finds the kind of field of a property. */
export function findGrammar(property: JsonSchema): FieldKind | undefined {
  switch (property['type']) {
    case 'string':
      if (Object.hasOwn(property, 'oneOf')) return 'titled choice';
      return Object.hasOwn(property, 'enum') ? 'choice' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'yes or no';
    case 'array':
      return 'list of choices';
    default:
      return undefined;
  }
}

function areValues(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText) && new Set(value).size === value.length;
}

function areOptions(value: unknown): boolean {
  return Array.isArray(value) && value.every(isOption) && areValues(value.map((option) => option.const));
}

function isOption(value: unknown): value is { const: string; title: string } {
  return isFields(value) && hasOnly(value, ['const', 'title']) && isText(value['const']) && isText(value['title']);
}

function areItems(value: unknown): boolean {
  if (!isFields(value)) return false;
  if (Object.hasOwn(value, 'anyOf')) return hasOnly(value, ['anyOf']) && areOptions(value['anyOf']);
  return hasOnly(value, ['type', 'enum']) && value['type'] === 'string' && areValues(value['enum']);
}

function areNames(value: unknown, { enum: named }: JsonSchema): string | undefined {
  const fits = Array.isArray(value) && value.every(isText) && Array.isArray(named) && value.length === named.length;
  return fits ? undefined : 'a list of strings, one for each value of `enum`';
}

function hasOnly(value: Readonly<Record<string, unknown>>, keywords: readonly string[]): boolean {
  return Object.keys(value).every((keyword) => keywords.includes(keyword));
}

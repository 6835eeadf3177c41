import { isFields } from '../../model/fields.js';
import { createPattern } from './json-schema.keywords.js';

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

type Holds = (value: unknown) => boolean;

const isAnything: Holds = () => true;
const isText: Holds = (value) => typeof value === 'string';
const isFlag: Holds = (value) => typeof value === 'boolean';
const isNumber: Holds = (value) => Number.isFinite(value);
const isCount: Holds = (value) => Number.isInteger(value) && (value as number) >= 0;
const isType: Holds = (value) => TYPES.includes(value);
const isSchema: Holds = (value) => isFlag(value) || (isFields(value) && isCertainToCompile(value));
const isPattern: Holds = (value) => {
  try {
    createPattern(value as string, 'u');
    return isText(value);
  } catch {
    return false;
  }
};
const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(holds);
const setOf =
  (holds: Holds): Holds =>
  (value) =>
    listOf(holds)(value) && new Set(value as unknown[]).size === (value as unknown[]).length;

/** The keywords that most schemas consist of, and which values of them ajv and the meta-schema of 2020-12 take. */
const CERTAIN: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ...['title', 'description', '$comment', 'format'].map((keyword) => [keyword, isText] as const),
  ...['readOnly', 'writeOnly', 'deprecated', 'uniqueItems'].map((keyword) => [keyword, isFlag] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [keyword, isNumber] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ...['items', 'additionalProperties', 'propertyNames'].map((keyword) => [keyword, isSchema] as const),
  ...['anyOf', 'oneOf', 'allOf'].map((keyword) => [keyword, listOf(isSchema)] as const),
  ['type', (value) => isType(value) || setOf(isType)(value)],
  ['properties', (value) => isFields(value) && Object.values(value).every(isSchema)],
  ['required', setOf(isText)],
  ['enum', listOf(isAnything)],
  ['const', isAnything],
  ['default', isAnything],
  ['examples', Array.isArray],
  ['pattern', isPattern],
]);

/** Whether compiling can wait, since it will not fail; `false` means only that this is not known. */
export function isCertainToCompile(schema: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(schema).every(([keyword, value]) => CERTAIN.get(keyword)?.(value) === true);
}

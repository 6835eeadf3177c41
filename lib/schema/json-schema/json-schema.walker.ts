import { isFields } from '../../model/fields.js';

/** Keywords of 2020-12 whose value is a schema, a list of schemas, or schemas by name. All other values are data. */
const ONE = [
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'items',
  'contains',
  'unevaluatedItems',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
] as const;
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'] as const;

/** One schema directly inside another. */
export interface Subschema {
  readonly schema: unknown;
  readonly keyword: string;
  /** Name or index below the keyword, if it has one. */
  readonly key?: string;
}

/** Schemas directly inside a schema, in the order of its keywords. */
export function listSubschemas(schema: Readonly<Record<string, unknown>>): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of ONE) {
    if (Object.hasOwn(schema, keyword)) found.push({ schema: schema[keyword], keyword });
  }
  for (const keyword of LIST) {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (Array.isArray(value)) value.forEach((item, index) => found.push({ schema: item, keyword, key: String(index) }));
  }
  for (const keyword of NAMED) {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (isFields(value)) {
      for (const [key, item] of Object.entries(value)) found.push({ schema: item, keyword, key });
    }
  }
  return found;
}

/** JSON pointer of a subschema, given the pointer of its parent. */
export function pointerTo(parent: string, { keyword, key }: Subschema): string {
  return key === undefined ? `${parent}/${keyword}` : `${parent}/${keyword}/${escapePointer(key)}`;
}

function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

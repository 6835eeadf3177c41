import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { canonicalJson } from '../json-value.js';

/** No value satisfies both fragments. */
export class ContradictionError extends Error {}

const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** One schema that requires everything that the fragments require. */
export function mergeFragments(fragments: readonly JsonSchema[]): JsonSchema {
  const merged: Record<string, unknown> = {};
  const others: JsonSchema[] = [];
  for (const [keyword, value] of fragments.flatMap((fragment) => Object.entries(fragment))) {
    const present = merged[keyword];
    if (present === undefined) merged[keyword] = value;
    else if (keyword === 'type') merged[keyword] = commonType(present, value);
    else if (LARGER.has(keyword)) merged[keyword] = Math.max(present as number, value as number);
    else if (SMALLER.has(keyword)) merged[keyword] = Math.min(present as number, value as number);
    else if (canonicalJson(present) !== canonicalJson(value)) others.push({ [keyword]: value });
  }
  if (others.length > 0) merged['allOf'] = [...((merged['allOf'] as JsonSchema[] | undefined) ?? []), ...others];
  checkBounds(merged);
  return narrowEnum(merged);
}

/** The schema, extended to accept `null`. */
export function admitNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, const: only, ...rest } = schema;
  // These keywords also apply to null, so null needs a separate branch.
  if (['not', 'allOf', 'anyOf', '$ref'].some((keyword) => keyword in rest))
    return { anyOf: [schema, { type: 'null' }] };
  const types = type === undefined ? undefined : [...new Set([type, 'null'].flat())];
  return {
    ...(types === undefined ? {} : { type: types }),
    ...(Array.isArray(values) ? { enum: [...new Set([...values, null])] } : {}),
    ...('const' in schema ? { enum: [...new Set([only, null])] } : {}),
    ...rest,
  };
}

/** The JSON Schema type name of a JSON value. */
export function typeOfJson(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return isFields(value) ? 'object' : typeof value;
}

/** Returns whether `type` accepts a value of type `actual`. */
function admitsType(type: unknown, actual: string): boolean {
  return [type].flat().some((name) => name === actual || (name === 'number' && actual === 'integer'));
}

function commonType(one: unknown, other: unknown): unknown {
  const common = new Set<unknown>();
  for (const name of [one].flat()) if (admitsType(other, String(name))) common.add(name);
  for (const name of [other].flat()) if (admitsType(one, String(name))) common.add(name);
  if (common.has('integer')) common.delete('number');
  if (common.size === 0) throw new ContradictionError(`"${String(one)}" and "${String(other)}"`);
  const names = [...common];
  return names.length === 1 ? names[0] : names;
}

function checkBounds(schema: Readonly<Record<string, unknown>>): void {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const low = Number(above ?? schema['minimum']);
  const high = Number(below ?? schema['maximum']);
  if (low >= high && (above !== undefined || below !== undefined))
    throw new ContradictionError(`above ${low} and below ${high}`);
  for (const [low, high] of BOUNDS) {
    if (Number(schema[low]) > Number(schema[high])) {
      throw new ContradictionError(`${low} ${String(schema[low])} and ${high} ${String(schema[high])}`);
    }
  }
}

function narrowEnum(schema: Record<string, unknown>): JsonSchema {
  const values = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined);
  if (!Array.isArray(values)) return schema;
  if (schema['type'] === undefined) {
    const types = [...new Set(values.map(typeOfJson))].filter(
      (type, _index, all) => type !== 'integer' || !all.includes('number'),
    );
    return { type: types.length === 1 ? types[0] : types, ...schema };
  }
  if (!values.some((value) => admitsType(schema['type'], typeOfJson(value)))) {
    throw new ContradictionError(`the allowed values and ${JSON.stringify(schema['type'])}`);
  }
  return schema;
}

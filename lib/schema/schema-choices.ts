import { isFields } from '../model/fields.js';
import type { JsonSchema } from '../model/json-schema.js';
import { valueAt } from './schema-issues.js';

/** Longest chain of references; a chain may be circular. */
const MAX_HOPS = 16;

/** The strings that each member of an object may have, in order, where the schema lists all of them. */
export function readChoices(root: JsonSchema): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const { properties } = root;
  if (!isFields(properties)) return found;
  for (const [name, schema] of Object.entries(properties)) {
    const texts = (choicesOf(schema, root, MAX_HOPS) ?? []).filter((value) => typeof value === 'string');
    if (texts.length > 0) found.set(name, [...new Set(texts)]);
  }
  return found;
}

/** Every value that a schema accepts; `undefined` if it does not list them. */
function choicesOf(schema: unknown, root: JsonSchema, hops: number): readonly unknown[] | undefined {
  if (!isFields(schema) || hops === 0) return undefined;
  if (Array.isArray(schema['enum'])) return schema['enum'];
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  if (schema['type'] === 'null') return [null];
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(branches)) {
    const lists = branches.map((branch) => choicesOf(branch, root, hops - 1));
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  return choicesOf(targetOf(schema['$ref'], root), root, hops - 1);
}

/** Only pointers are followed: libraries use these to refer to a repeated schema. */
function targetOf(ref: unknown, root: JsonSchema): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  const path = ref
    .slice(2)
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
  return valueAt(root, path);
}

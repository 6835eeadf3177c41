import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';

/** Refuses a schema whose root is not literally `type: "object"`: arguments are always an object. */
export function requireObjectRoot(json: JsonSchema): void {
  if (json['type'] === 'object') return;
  throw new UnsupportedSchemaError(
    'arguments are always a JSON object, so the root of an input schema must be of type "object". Wrap the value in an object schema, or add `type: "object"` to the root of a JSON Schema.',
  );
}

/** Adds `type: "object"` to a root that admits nothing but objects without saying so, such as a union of objects. */
export function withObjectRoot(json: JsonSchema): JsonSchema {
  return json['type'] === undefined && admitsOnlyObjects(json, json, new Set()) ? { type: 'object', ...json } : json;
}

function admitsOnlyObjects(schema: unknown, root: JsonSchema, seen: Set<unknown>): boolean {
  if (!isFields(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (schema['type'] === 'object') return true;
  const admits = (inner: unknown): boolean => admitsOnlyObjects(inner, root, seen);
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword];
    if (Array.isArray(branches) && branches.length > 0 && branches.every(admits)) return true;
  }
  if (Array.isArray(schema['allOf']) && schema['allOf'].some(admits)) return true;
  return typeof schema['$ref'] === 'string' && admits(followPointer(schema['$ref'], root));
}

/** What a reference inside a document leads to. */
export function followPointer(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const escaped of decodeURIComponent(reference.slice(2)).split('/')) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

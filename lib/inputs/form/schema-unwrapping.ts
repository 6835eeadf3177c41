import { isFields } from '../../model/fields.js';
import { followPointer } from '../../schema/json-schema/object-root.js';
import type { JsonSchema } from '../../model/json-schema.js';

/** One of the values of a choice. */
export interface Option {
  readonly const: unknown;
  readonly title?: string;
}

/** References may lead in a circle. */
const MAX_STEPS = 16;

/** The schema of a field without the references around it, and without its `null`. */
export function unwrap(schema: unknown, document: JsonSchema, steps = MAX_STEPS): JsonSchema {
  if (!isFields(schema) || steps === 0) return {};
  const { $ref: reference, ...own } = schema;
  if (typeof reference === 'string') {
    return unwrap({ ...unwrap(followPointer(reference, document), document, steps - 1), ...own }, document, steps - 1);
  }
  const bare = withoutNullType(own);
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = bare[keyword];
    if (!Array.isArray(branches)) continue;
    const others = branches.filter((branch) => !isNull(branch));
    const { [keyword]: _branches, ...rest } = bare;
    if (others.length === 1) return unwrap({ ...(others[0] as object), ...rest }, document, steps - 1);
    return { ...rest, [keyword]: others };
  }
  return bare;
}

/** The values of a schema that admits no others, each with the title that it has for itself. */
export function listOptions(schema: JsonSchema, document: JsonSchema, steps = MAX_STEPS): Option[] | undefined {
  if (steps === 0) return undefined;
  if (Object.hasOwn(schema, 'const')) return [{ const: schema['const'] }];
  const { enum: values } = schema;
  if (Array.isArray(values)) return values.map((value: unknown) => ({ const: value }));
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(branches)) return undefined;
  const options = branches.map((branch) => listBranch(unwrap(branch, document), document, steps));
  return options.every((found) => found !== undefined) ? options.flat() : undefined;
}

function listBranch(branch: JsonSchema, document: JsonSchema, steps: number): Option[] | undefined {
  const { const: value, title } = branch;
  if (value !== undefined && typeof title === 'string') return [{ const: value, title }];
  return listOptions(branch, document, steps - 1);
}

function withoutNullType(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, enum: values } = schema;
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : undefined;
  return {
    ...schema,
    ...(types === undefined ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
  };
}

function isNull(branch: unknown): boolean {
  return isFields(branch) && (branch['type'] === 'null' || ('const' in branch && branch['const'] === null));
}

import { isFields } from '../model/fields.js';
import type { JsonSchema } from '../model/json-schema.js';
import { setMember } from '../schema/json-value.js';
import { refuseProperty, refuseRoot } from './form.check.js';
import { FORM_FORMATS } from './form.grammar.js';
import { followPointer } from '../schema/json-schema/object-root.js';

/** Keywords that can contain fields that a flat form would not show. */
const BRANCHES = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'];

const NOTES = ['title', 'description'];

/**
 * Reduces the JSON Schema of a class or of a library's schema to a form.
 *
 * Keywords that only restrict the values of a field (`pattern`, `multipleOf`, `additionalProperties` and the like) are left
 * out: the form accepts more values, but the schema itself validates the answer. `null` is left out too, since forms cannot
 * send it. Other keywords that forms do not support are kept, so that the form check refuses them.
 */
export function reduceToForm(json: JsonSchema): JsonSchema {
  for (const keyword of BRANCHES) {
    if (Object.hasOwn(json, keyword)) {
      refuseRoot(keyword, 'has no place in a form. Declare one flat object, or ask with one form for each case.');
    }
  }
  const { properties = {}, required } = json;
  const fields: Record<string, JsonSchema> = {};
  for (const [name, property] of Object.entries(properties as Record<string, unknown>)) {
    setMember(fields, name, reduceField(name, property, json));
  }
  if (Object.keys(fields).length === 0 && isFields(json['additionalProperties'])) refuseRecord(json);
  return { type: 'object', properties: fields, ...(required === undefined ? {} : { required }) };
}

function refuseRecord({ additionalProperties }: JsonSchema): void {
  if (Object.keys(additionalProperties as object).length === 0) return;
  refuseRoot('additionalProperties', 'asks for names that the user would have to make up. Name the properties.');
}

function reduceField(name: string, property: unknown, document: JsonSchema): JsonSchema {
  const schema = unwrap(property, document);
  const options = listOptions(schema, document);
  if (options !== undefined && schema['type'] !== 'boolean') return reduceChoice(name, schema, options);
  switch (schema['type']) {
    case 'string':
      return {
        ...pick(schema, 'type', ...NOTES, 'minLength', 'maxLength'),
        ...(FORM_FORMATS.includes(schema['format']) ? pick(schema, 'format') : {}),
        ...readDefault(schema),
      };
    case 'number':
    case 'integer':
      return { ...pick(schema, 'type', ...NOTES), ...reduceBounds(schema), ...readDefault(schema) };
    case 'boolean':
      return { ...pick(schema, 'type', ...NOTES), ...readDefault(schema) };
    case 'array':
      return reduceList(name, schema, document);
    default:
      return pick(schema, 'type');
  }
}

function reduceChoice(name: string, schema: JsonSchema, options: readonly Option[]): JsonSchema {
  requireTexts(name, options);
  const titled = areTitled(options);
  return {
    type: 'string',
    ...pick(schema, ...NOTES),
    ...(titled ? { oneOf: options } : { enum: valuesOf(options), ...pick(schema, 'enumNames') }),
    ...readDefault(schema),
  };
}

function reduceList(name: string, schema: JsonSchema, document: JsonSchema): JsonSchema {
  const options = listOptions(unwrap(schema['items'], document), document);
  if (options === undefined) {
    refuseProperty(
      name,
      'items',
      'must be a choice of strings: a form can ask for several of them, and for no other list. Ask for one text and split it, or ask for the items one by one.',
    );
  }
  requireTexts(name, options);
  return {
    ...pick(schema, 'type', ...NOTES, 'minItems', 'maxItems'),
    items: areTitled(options) ? { anyOf: options } : { type: 'string', enum: valuesOf(options) },
    ...readDefault(schema),
  };
}

/** Converts exclusive bounds: exact for integers (above 0 is from 1), wider for other numbers. Bounds at the limits of safe integers are dropped. */
function reduceBounds({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): JsonSchema {
  const step = type === 'integer' ? 1 : 0;
  const lows = [minimum, step === 0 ? exclusiveMinimum : after(exclusiveMinimum, step)].filter(isNumber);
  const highs = [maximum, step === 0 ? exclusiveMaximum : after(exclusiveMaximum, -step)].filter(isNumber);
  const low = Math.max(...lows);
  const high = Math.min(...highs);
  return {
    ...(low > Number.MIN_SAFE_INTEGER ? { minimum: low } : {}),
    ...(high < Number.MAX_SAFE_INTEGER ? { maximum: high } : {}),
  };
}

/** The next integer in the direction of the step. */
function after(bound: unknown, step: number): number | undefined {
  if (!isNumber(bound)) return undefined;
  return step > 0 ? Math.floor(bound) + step : Math.ceil(bound) + step;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function requireTexts(name: string, options: readonly Option[]): void {
  if (options.length > 0 && options.every((option) => typeof option.const === 'string')) return;
  refuseProperty(
    name,
    'enum',
    'must hold strings: a form has no other choices. Write the values as strings, and turn them into what you need after the answer.',
  );
}

function areTitled(options: readonly Option[]): boolean {
  return options.every(({ title }) => title !== undefined);
}

function valuesOf(options: readonly Option[]): unknown[] {
  return [...new Set(options.map((option) => option.const))];
}

function readDefault(schema: JsonSchema): JsonSchema {
  return schema['default'] === null ? {} : pick(schema, 'default');
}

function pick(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(
    keywords.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => [keyword, schema[keyword]]),
  );
}

/** One of the values of a choice. */
interface Option {
  readonly const: unknown;
  readonly title?: string;
}

/** Maximum number of references that are followed, since they may be circular. */
const MAX_STEPS = 16;

/** Resolves the references of a field's schema, and removes its `null`. */
function unwrap(schema: unknown, document: JsonSchema, steps = MAX_STEPS): JsonSchema {
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

/** Lists the values of a schema that accepts only fixed values, each with its own title. */
function listOptions(schema: JsonSchema, document: JsonSchema, steps = MAX_STEPS): Option[] | undefined {
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

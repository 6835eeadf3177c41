import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { findMarkFault, HEADER_KEYWORD } from '../header-marks.js';
import type { DtoClass } from '../schema-source.js';
import { type MemberFacts, readMembers, refuse } from './class-members.reader.js';
import type { ClassPlan, MemberPlan } from './class-plan.js';
import { sortRules, type SortedRules } from './class-rules.mapper.js';
import type { RuleSources } from './class-validator.loader.js';
import { readInitials } from './initial-values.js';
import { isOpenObject } from './member-notes.js';
import { admitNull, ContradictionError, mergeFragments } from './schema-fragment.js';

/** Builds the plans of a class and of all nested classes; classes may refer to each other in a circle. */
export function planClass(type: DtoClass, sources: RuleSources, known = new Map<DtoClass, ClassPlan>()): ClassPlan {
  const present = known.get(type);
  if (present !== undefined) return present;
  const plan: ClassPlan = { type, open: isOpenObject(type), members: new Map(), uses: 0 };
  known.set(type, plan);
  const initials = readInitials(type);
  for (const facts of readMembers(type, sources)) {
    const rules = sortRules(type, facts, sources);
    const shape = readShape(type, facts, rules);
    const nested =
      shape.type === undefined
        ? undefined
        : planNested(facts.name, type, shape.type, (inner) => planClass(inner, sources, known));
    if (nested !== undefined) nested.uses += 1;
    const { optional, omittable, narrowing, worded } = rules;
    plan.members.set(facts.name, {
      name: facts.name,
      optional,
      omittable: omittable && !rules.notNull && !rules.notEmpty.whole,
      array: shape.array,
      content: shape.content,
      ...(nested === undefined ? {} : { nested }),
      write: writerOf(type, facts, rules, shape),
      narrowing,
      worded,
      initial: initials.get(facts.name),
    });
  }
  return plan;
}

interface Shape {
  readonly array: boolean;
  readonly content: MemberPlan['content'];
  /** Class of the member, or of its items. */
  readonly type?: DtoClass;
}

const PRIMITIVES = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

function readShape(type: DtoClass, facts: MemberFacts, rules: SortedRules): Shape {
  const { name, designType, declaredType } = facts;
  if (designType === Map || designType === Set || designType === Promise) {
    refuse(
      type,
      name,
      `is a Map, a Set or a Promise, which JSON does not have. Use an array, an object or a plain value.`,
    );
  }
  if (declaredType?.options?.discriminator !== undefined) {
    refuse(
      type,
      name,
      'carries `@Type()` with a discriminator. Pass a Standard Schema with a union instead of the class.',
    );
  }
  const array = rules.hasItems || designType === Array || rules.whole.some((fragment) => fragment['type'] === 'array');
  const declared: unknown = declaredType?.typeFunction?.();
  const own = declared ?? (array ? undefined : designType);
  if (rules.date || declared === Date) return { array, content: 'date' };
  if (!rules.nested) {
    if (typeof declared === 'function' && !PRIMITIVES.has(declared) && declared !== Object) {
      refuse(
        type,
        name,
        `carries \`@Type(() => ${declared.name})\` but not \`@ValidateNested()\`, so nothing would check its members. Add \`@ValidateNested()\`.`,
      );
    }
    return { array, content: 'plain' };
  }
  if (typeof own !== 'function' || own === Object || own === Array || own === Date || PRIMITIVES.has(own)) {
    refuse(
      type,
      name,
      `carries \`@ValidateNested()\`, and its class is unknown at run time. Add \`@Type(() => TheClass)\` of class-transformer.`,
    );
  }
  return { array, content: 'nested', type: own as DtoClass };
}

function planNested(member: string, owner: DtoClass, type: DtoClass, plan: (type: DtoClass) => ClassPlan): ClassPlan {
  try {
    return plan(type);
  } catch (cause) {
    if (!(cause instanceof UnsupportedSchemaError)) throw cause;
    throw new UnsupportedSchemaError(`in the member "${member}" of ${owner.name}, ${cause.reason}`, { cause });
  }
}

/** Merges once at boot, so that contradictions are reported; the reference to a nested class is only known later. */
function writerOf(type: DtoClass, facts: MemberFacts, rules: SortedRules, shape: Shape): MemberPlan['write'] {
  const header = facts.note.header;
  const marks = {
    ...(facts.note.description === undefined ? {} : { description: facts.note.description }),
    ...(header === undefined ? {} : { [HEADER_KEYWORD]: header }),
  };
  const write = (nested: JsonSchema): JsonSchema => {
    const value = writeValue(facts, rules, shape, nested);
    // Clients drop a tool whose marked argument is not a plain string, integer or boolean.
    return { ...(rules.optional && header === undefined ? admitNull(value) : value), ...marks };
  };
  try {
    const schema = write({ type: 'object' });
    const fault = header === undefined ? undefined : findMarkFault(header, schema);
    if (fault !== undefined)
      refuse(type, facts.name, `carries \`@McpHeader(${JSON.stringify(header)})\`, which ${fault}`);
  } catch (error) {
    if (!(error instanceof ContradictionError)) throw error;
    const cure = shape.array ? ' Rules for the items of an array need `{ each: true }`.' : '';
    refuse(
      type,
      facts.name,
      `has rules that contradict each other (${error.message}), so no value is valid. Change the rules.${cure}`,
    );
  }
  return write;
}

function writeValue(facts: MemberFacts, rules: SortedRules, shape: Shape, nested: JsonSchema): JsonSchema {
  const content: JsonSchema[] = [];
  if (shape.content === 'date') content.push({ type: 'string', format: 'date-time' });
  if (shape.content === 'nested' && !('$ref' in nested)) content.push(nested);
  const single = shape.array ? [...content, ...rules.items] : [...content, ...rules.whole];
  if (shape.content === 'nested' && '$ref' in nested) single.unshift({ type: 'object' });
  const declared = PRIMITIVES.get(facts.declaredType?.typeFunction?.());
  if (declared !== undefined) single.push({ type: declared });
  let value = mergeFragments(single);
  if (shape.content === 'nested' && '$ref' in nested) value = { ...value, ...nested };
  value = typed(value, shape.array ? undefined : PRIMITIVES.get(facts.designType));
  if (!shape.array) return refuseEmpty(value, rules.notEmpty.whole, rules.notNull);
  const items = refuseEmpty(value, rules.notEmpty.items, false);
  return mergeFragments([{ type: 'array', items }, ...rules.whole]);
}

/** The type of the compiler is used where no rule names a type. */
function typed(schema: JsonSchema, design: string | undefined): JsonSchema {
  return design === undefined || schema['type'] !== undefined || '$ref' in schema
    ? schema
    : { type: design, ...schema };
}

function refuseEmpty(schema: JsonSchema, notEmpty: boolean, notNull: boolean): JsonSchema {
  const known = schema['type'] !== undefined || '$ref' in schema;
  if (known) return notEmpty && schema['type'] === 'string' ? mergeFragments([schema, { minLength: 1 }]) : schema;
  if (notEmpty) return mergeFragments([schema, { not: { enum: ['', null] } }]);
  return notNull ? mergeFragments([schema, { not: { type: 'null' } }]) : schema;
}

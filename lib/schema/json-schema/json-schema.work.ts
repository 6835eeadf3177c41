import type { Ajv2020 as Ajv, CodeKeywordDefinition, ErrorObject } from 'ajv/dist/2020.js';
import { isFields } from '../../model/fields.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { listSubschemas } from './json-schema.walker.js';

/** How much of a value a check visits before it stops. */
export interface WorkLimit {
  /** Maximum number of visits; a value counts each time a schema visits it. */
  readonly maxValues: number;
  /** A schema library checks the value afterwards, so values that the schema accepts without a visit count as well. */
  readonly library: boolean;
  /** The library tries every branch of a union to its end, so the check does the same to count that work. */
  readonly thorough: boolean;
}

/** Maximum number of values that schema libraries or class-validator check in one call; each takes 10 µs and 1 KB. */
export const MAX_LIBRARY_VALUES = 10_000;

/** A body of 2 MB has at most a million values, so only schemas that visit each of them several times reach this. */
export const SCHEMA_WORK: WorkLimit = { maxValues: 2_000_000, library: false, thorough: false };
export const LIBRARY_WORK: WorkLimit = { maxValues: MAX_LIBRARY_VALUES, library: true, thorough: false };
/** For schemas whose branches refer to each other: a failed branch keeps the errors of everything below it. */
const MAX_REPEATED_VALUES = 100_000;
/** In practice the app's own results are not limited: so many values take a gigabyte of memory. */
export const UNLIMITED_WORK: WorkLimit = { maxValues: 2 ** 26, library: false, thorough: false };

/** Message for a value with too many items or members. */
export const TOO_MUCH =
  'must hold fewer values: these are too many to check in one call, so send them in several calls';

/** Keyword of schemas that are visited once for each item or member; its value is the cost of one visit. */
export const WORK_KEYWORD = '$work';

const REPEATED = new Set([
  'items',
  'contains',
  'unevaluatedItems',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
]);
/** What counts: a value, a branch of a union that is tried on it, and a member that may be absent. */
const VALUE = 16;
const BRANCH = 2;
const NAME = 1;

/** Marks the schemas that are visited once for each item or member of a value, or repeatedly through references. */
export function markWork(root: Record<string, unknown>, { library }: WorkLimit): void {
  const mark = (schema: Record<string, unknown>, repeated: boolean, cost: number): void => {
    if (library) showUnseen(schema);
    for (const { schema: child, keyword } of listSubschemas(schema)) {
      const isBranch = keyword === 'anyOf' || keyword === 'oneOf';
      if (isFields(child)) mark(child, repeated || REPEATED.has(keyword), isBranch ? BRANCH : VALUE);
    }
    // The target of a reference counts its own visits.
    if (!repeated || '$ref' in schema || (!library && Object.keys(schema).length === 0)) return;
    schema[WORK_KEYWORD] = cost + costOf(schema);
  };
  mark(root, holdsReference(root), VALUE);
}

/** The limit of a schema; it is lower if several branches may visit the same part of a value. */
export function limitWork(schema: JsonSchema, work: WorkLimit): WorkLimit {
  const unions = listUnions(schema).filter(({ branches }) => branches.filter(holdsReference).length > 1);
  if (unions.length === 0) return { ...work, thorough: false };
  // Libraries write a union whose branches they can tell apart as `oneOf`.
  const areTried = unions.some(({ keyword, branches }) => keyword === 'anyOf' || !areToldApart(branches));
  return {
    ...work,
    maxValues: work === UNLIMITED_WORK ? work.maxValues : Math.min(work.maxValues, MAX_REPEATED_VALUES),
    thorough: work.thorough && areTried,
  };
}

interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly unknown[];
}

function listUnions(schema: unknown): Union[] {
  if (!isFields(schema)) return [];
  const own = (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const branches = schema[keyword];
    return Array.isArray(branches) ? [{ keyword, branches }] : [];
  });
  return [...own, ...listSubschemas(schema).flatMap((child) => listUnions(child.schema))];
}

/** Counts the visits of a check, and stops it by an error. */
export class WorkCounter {
  /** Read and written by compiled checks; a small integer, since other numbers are slower. */
  left = 0;

  start({ maxValues }: Pick<WorkLimit, 'maxValues'>): void {
    this.left = maxValues * VALUE;
  }

  stop(pointer: string): WorkError {
    return new WorkError(pointer);
  }
}

/** A check has reached its limit. */
export class WorkError extends Error {
  constructor(private readonly pointer: string) {
    super(TOO_MUCH);
  }

  /** Names the outermost list, or the object that contains the value at which the check stopped. */
  toBreach(): ErrorObject {
    const item = /\/\d+(?:\/|$)/.exec(this.pointer)?.index;
    const instancePath = this.pointer.slice(0, item ?? Math.max(0, this.pointer.lastIndexOf('/')));
    return { keyword: WORK_KEYWORD, instancePath, schemaPath: '', params: {}, message: TOO_MUCH };
  }
}

/** The parts of ajv that generate code. */
export type CodeWriter = Pick<typeof import('ajv/dist/2020.js'), '_' | 'Name'>;

/** Compiles the marks to a subtraction and a comparison. */
export function addWorkKeyword(ajv: Ajv, { _, Name }: CodeWriter, counter: WorkCounter): void {
  const instancePath = new Name('instancePath');
  const definition: CodeKeywordDefinition = {
    keyword: WORK_KEYWORD,
    schemaType: 'number',
    // Before keywords that visit nested values, so that a failed branch has been counted too.
    before: '$ref',
    code: ({ gen, schema, it }) => {
      const work = gen.scopeValue('obj', { ref: counter });
      gen.if(_`(${work}.left -= ${schema as number}) < 0`, () =>
        gen.throw(_`${work}.stop(${instancePath} + ${it.errorPath})`),
      );
    },
  };
  ajv.addKeyword(definition);
}

/** Libraries visit items and members of any type, which ajv skips. */
function showUnseen(schema: Record<string, unknown>): void {
  const isArray = [schema['type']].flat().includes('array');
  if (schema['items'] === true || (isArray && schema['items'] === undefined)) schema['items'] = {};
  if (schema['additionalProperties'] === true) schema['additionalProperties'] = {};
}

function costOf({ required, enum: values }: JsonSchema): number {
  const names = Array.isArray(required) ? required.length : 0;
  // Objects and arrays in an enum are compared one by one.
  const compared = Array.isArray(values) ? values.filter((value) => typeof value === 'object').length : 0;
  return names * NAME + compared * NAME;
}

/** Returns whether one member has different values in each branch, so that a library tries only one of them. */
function areToldApart(branches: readonly unknown[]): boolean {
  const constants = branches.map((branch) => {
    const members = isFields(branch) && isFields(branch['properties']) ? Object.entries(branch['properties']) : [];
    return members
      .filter(([, member]) => isFields(member) && ('const' in member || 'enum' in member))
      .map(([name]) => name);
  });
  return (constants[0] ?? []).some((name) => constants.every((names) => names.includes(name)));
}

function holdsReference(schema: unknown): boolean {
  if (!isFields(schema)) return false;
  return (
    '$ref' in schema || '$dynamicRef' in schema || listSubschemas(schema).some((child) => holdsReference(child.schema))
  );
}

import type { ErrorObject } from 'ajv/dist/2020.js';

import type { ComponentSchema, SchemaDirection, SchemaIssue, SchemaVerdict } from '../component-schema.js';
import { judgeOutput } from '../json-schema/json-schema.adapter.js';
import type { JsonSchemaCompiler, SchemaCheck } from '../json-schema/json-schema.compiler.js';
import { checkLimits } from '../json-schema/json-schema.limits.js';
import { MAX_LIBRARY_VALUES, SCHEMA_WORK, UNLIMITED_WORK } from '../json-schema/json-schema.work.js';
import { freezeJson, setMember } from '../json-value.js';
import { type IssuePath, limitIssues, MAX_ISSUES, readPointer, toIssue, valueAt, writePath } from '../schema-issues.js';
import type { DtoClass } from '../schema-source.js';
import type { ClassPlan, MemberPlan } from './class-plan.js';
import { planClass } from './class-plan.builder.js';
import { listNarrowing, runRules, wordByAuthor } from './class-rules.runner.js';
import { writeClassSchema } from './class-schema.writer.js';
import type { RuleSources } from './class-validator.loader.js';
import { isFields } from '../../model/fields.js';

/**
 * A DTO class of class-validator. The advertised schema decides; only the rules that JSON Schema cannot express run
 * in class-validator.
 */
export function adaptClass(
  type: DtoClass,
  direction: SchemaDirection,
  compiler: JsonSchemaCompiler,
  sources: RuleSources,
): ComponentSchema {
  const plan = planClass(type, sources);
  const json = freezeJson(writeClassSchema(plan, compiler));
  checkLimits(json);
  const work = direction === 'input' ? SCHEMA_WORK : UNLIMITED_WORK;
  const judge = new ClassJudge(plan, compiler.compile(json, { trusted: true, work }));
  return {
    json,
    validate: direction === 'input' ? (value) => judge.judgeInput(value) : (value) => judge.judgeOutput(value),
  };
}

class ClassJudge {
  private readonly narrowing: ReadonlySet<ClassPlan>;

  constructor(
    private readonly plan: ClassPlan,
    private readonly check: SchemaCheck,
  ) {
    this.narrowing = listNarrowing(plan);
  }

  judgeInput(value: unknown): SchemaVerdict | Promise<SchemaVerdict> {
    const { errors } = this.check(value);
    if (errors.length > 0) return { ok: false, issues: wordErrors(this.plan, errors, value) };
    const instance = createInstance(this.plan, value as Record<string, unknown>);
    return this.narrow(instance, instance, MAX_LIBRARY_VALUES);
  }

  /** Output is plain JSON; an instance is made only to run rules on it. */
  judgeOutput(value: unknown): SchemaVerdict | Promise<SchemaVerdict> {
    const verdict = judgeOutput(this.check, value);
    if (!verdict.ok || this.narrowing.size === 0) return verdict;
    return this.narrow(createInstance(this.plan, verdict.value as Record<string, unknown>), verdict.value, Infinity);
  }

  private narrow(instance: object, value: unknown, maxValues: number): SchemaVerdict | Promise<SchemaVerdict> {
    if (this.narrowing.size === 0) return { ok: true, value };
    const conclude = (issues: readonly SchemaIssue[]): SchemaVerdict =>
      issues.length === 0 ? { ok: true, value } : { ok: false, issues: limitIssues(issues) };
    const issues = runRules(this.plan, instance, { narrowing: this.narrowing, maxValues });
    return issues instanceof Promise ? issues.then(conclude) : conclude(issues);
  }
}

/** The breaches of the schema, in the author's words where a rule of the member has a message. */
function wordErrors(plan: ClassPlan, errors: readonly ErrorObject[], root: unknown): SchemaIssue[] {
  return limitIssues(errors.slice(0, 10 * MAX_ISSUES).flatMap((error) => wordError(plan, error, root)));
}

function wordError(plan: ClassPlan, error: ErrorObject, root: unknown): SchemaIssue[] {
  const pointed = readPointer(error.instancePath, root);
  const path = error.keyword === 'required' ? [...pointed, String(error.params['missingProperty'])] : pointed;
  const { member, depth } = findMember(plan, path);
  if (member === undefined) return [toIssue(error, root)];
  const own = path.slice(0, depth);
  const holder = valueAt(root, own.slice(0, -1));
  const messages = wordByAuthor(
    member,
    typeof holder === 'object' && holder !== null ? holder : {},
    valueAt(root, own),
  );
  return messages.length === 0
    ? [toIssue(error, root)]
    : messages.map((message) => ({ path: writePath(path), message }));
}

/** The innermost declared member on a path, and the number of segments that lead to it. */
function findMember(plan: ClassPlan, path: IssuePath): { member: MemberPlan | undefined; depth: number } {
  let current: ClassPlan | undefined = plan;
  let found: { member: MemberPlan | undefined; depth: number } = { member: undefined, depth: 0 };
  for (const [index, segment] of path.entries()) {
    if (typeof segment === 'number') continue;
    const member: MemberPlan | undefined = current?.members.get(segment);
    if (member === undefined) return found;
    found = { member, depth: index + 1 };
    current = member.nested;
  }
  return found;
}

/** An instance of a DTO class from a value that satisfies its schema; absent members keep their initial values. */
function createInstance(plan: ClassPlan, value: Readonly<Record<string, unknown>>): object {
  const instance = new plan.type() as Record<string, unknown>;
  for (const member of plan.members.values()) {
    const given = Object.hasOwn(value, member.name) ? value[member.name] : undefined;
    if (given !== undefined) instance[member.name] = convert(member, given);
  }
  if (plan.open) addUndeclared(plan, instance, value);
  return instance;
}

/** Callers cannot set names that the instance already has: methods, undeclared fields, `__proto__`. */
function addUndeclared(
  plan: ClassPlan,
  instance: Record<string, unknown>,
  value: Readonly<Record<string, unknown>>,
): void {
  for (const [name, given] of Object.entries(value)) {
    if (!plan.members.has(name) && !(name in instance) && name !== 'prototype') setMember(instance, name, given);
  }
}

function convert(member: MemberPlan, value: unknown): unknown {
  if (Array.isArray(value) && member.array) return value.map((item) => convert(member, item));
  if (member.content === 'date' && typeof value === 'string') return new Date(value);
  if (member.nested !== undefined && isFields(value)) return createInstance(member.nested, value);
  return value;
}

import { isFields } from '../../model/fields.js';
import type { SchemaIssue } from '../component-schema.js';
import { TOO_MUCH } from '../json-schema/json-schema.work.js';
import { MAX_ISSUES, redact, writePath } from '../schema-issues.js';
import type { ClassPlan, MemberPlan, Rule } from './class-plan.js';
import type { RuleArguments } from './class-validator.loader.js';

const MAX_WORDED_ITEMS = 1_000;
/** Comparing two items is much cheaper than running a rule, so a comparison counts only in part. */
const COMPARISONS_PER_UNIT = 4_000;

/** The classes that have rules to run after the schema check, in their own members or in nested classes. */
export function listNarrowing(plan: ClassPlan): ReadonlySet<ClassPlan> {
  const known = new Set([plan]);
  for (const { members } of known) {
    for (const { nested } of members.values()) if (nested !== undefined) known.add(nested);
  }
  return new Set([...known].filter((one) => hasNarrowingRules(one, new Set())));
}

function hasNarrowingRules(plan: ClassPlan, seen: Set<ClassPlan>): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  return [...plan.members.values()].some(
    ({ narrowing, content, nested }) =>
      narrowing.length > 0 || content === 'date' || (nested !== undefined && hasNarrowingRules(nested, seen)),
  );
}

/**
 * Runs the rules that the schema could not express on an instance that satisfies the schema. Stops when enough issues
 * are found or rules have run on `maxValues` values.
 */
export function runRules(
  plan: ClassPlan,
  instance: object,
  { narrowing, maxValues }: { readonly narrowing: ReadonlySet<ClassPlan>; readonly maxValues: number },
): readonly SchemaIssue[] | Promise<readonly SchemaIssue[]> {
  const run = new RuleRun(narrowing, maxValues);
  run.visit(plan, instance);
  return run.pending.length === 0 ? run.issues : Promise.all(run.pending).then(() => run.issues);
}

/** Returns whether a value breaks a synchronous rule of a member. */
export function breaksRules(member: MemberPlan, value: unknown): boolean {
  if (member.content !== 'plain' || (member.optional && value === null)) return false;
  const holder = { [member.name]: value };
  return member.narrowing.some((rule) => {
    if (rule.constraint.async) return false;
    const verdict = judge(rule, argumentsOf(rule, holder, value), value);
    return verdict === false;
  });
}

/** The author's message for a value that breaks a rule with a message; built-in synchronous rules only. */
export function wordByAuthor(member: MemberPlan, holder: object, value: unknown): string[] {
  // A long list is not searched again for each breach in it.
  if (Array.isArray(value) && value.length > MAX_WORDED_ITEMS) return [];
  return member.worded
    .filter((rule) => judge(rule, argumentsOf(rule, holder, value), value) === false)
    .map((rule) => wordRule(rule, argumentsOf(rule, holder, value)));
}

class RuleRun {
  readonly issues: SchemaIssue[] = [];
  readonly pending: Promise<void>[] = [];
  private readonly path: (string | number)[] = [];
  private stopped = false;

  constructor(
    private readonly narrowing: ReadonlySet<ClassPlan>,
    private valuesLeft: number,
  ) {}

  visit(plan: ClassPlan, instance: object): void {
    for (const member of plan.members.values()) {
      if (this.stopped) return;
      const value = readMember(instance, member.name);
      if (member.optional && (value === null || value === undefined)) continue;
      this.path.push(member.name);
      for (const rule of member.narrowing) this.check(rule, instance, value);
      if (member.content === 'date') this.checkDates(value);
      if (member.nested !== undefined && this.narrowing.has(member.nested)) this.visitNested(member.nested, value);
      this.path.pop();
    }
  }

  private visitNested(plan: ClassPlan, value: unknown): void {
    if (Array.isArray(value)) this.eachItem(value, (item) => this.visitNested(plan, item));
    else if (isFields(value) && this.spend(1)) this.visit(plan, value);
  }

  private eachItem(items: readonly unknown[], look: (item: unknown) => void): void {
    for (const [index, item] of items.entries()) {
      if (this.stopped) return;
      this.path.push(index);
      look(item);
      this.path.pop();
    }
  }

  private check(rule: Rule, instance: object, value: unknown): void {
    if (this.stopped || !this.spend(valuesOf(rule, value))) return;
    const args = argumentsOf(rule, instance, value);
    const verdict = judge(rule, args, value);
    if (verdict === true) return;
    const path = writePath(this.path);
    if (verdict === false) this.addIssue(path, rule, args);
    else this.pending.push(verdict.then((valid) => (valid ? undefined : this.addIssue(path, rule, args))));
  }

  /** The format allows leap seconds, `Date` does not. */
  private checkDates(value: unknown): void {
    if (Array.isArray(value)) this.eachItem(value, (item) => this.checkDates(item));
    else if (value instanceof Date && Number.isNaN(value.getTime())) {
      this.add({ path: writePath(this.path), message: 'must be a date and time that exists' });
    }
  }

  private spend(values: number): boolean {
    this.valuesLeft -= values;
    if (this.valuesLeft >= 0) return true;
    this.stopped = true;
    const item = this.path.findIndex((segment) => typeof segment === 'number');
    this.issues.push({ path: writePath(item === -1 ? this.path : this.path.slice(0, item)), message: TOO_MUCH });
    return false;
  }

  private addIssue(path: string, rule: Rule, args: RuleArguments): void {
    if (this.issues.length < MAX_ISSUES) this.add({ path, message: wordRule(rule, args) });
  }

  private add(issue: SchemaIssue): void {
    this.issues.push(issue);
    this.stopped = this.issues.length >= MAX_ISSUES;
  }
}

/** On how many values a rule runs. `@ArrayUnique()` with a key compares each item with all items before it. */
function valuesOf({ stored }: Rule, value: unknown): number {
  if (!Array.isArray(value)) return 1;
  if (stored.each === true) return value.length;
  return stored.name === 'arrayUnique' ? Math.ceil(value.length ** 2 / COMPARISONS_PER_UNIT) : 1;
}

/** Inherited members of every object, such as `toString`, are not values of the member. */
function readMember(instance: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(instance, name)) return undefined;
  return (instance as Record<string, unknown>)[name];
}

function judge({ stored, constraint }: Rule, args: RuleArguments, value: unknown): boolean | Promise<boolean> {
  if (stored.validateIf?.(args.object, value) === false) return true;
  const validate = (item: unknown): unknown => constraint.instance.validate(item, args);
  const verdicts = stored.each === true && Array.isArray(value) ? judgeItems(value, validate) : [validate(value)];
  return verdicts.some(isThenable) ? Promise.all(verdicts).then((all) => all.every(Boolean)) : verdicts.every(Boolean);
}

/** Verdicts up to and including the first failure. */
function judgeItems(items: readonly unknown[], validate: (item: unknown) => unknown): unknown[] {
  const verdicts: unknown[] = [];
  for (const item of items) {
    const verdict = validate(item);
    verdicts.push(verdict);
    if (verdict === false) break;
  }
  return verdicts;
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function argumentsOf({ stored }: Rule, object: object, value: unknown): RuleArguments {
  const { propertyName: property, constraints = [] } = stored;
  return { targetName: object.constructor.name, property, object, value, constraints };
}

/** Formats a message as class-validator does, except that `$value` does not repeat the value. */
function wordRule({ stored, constraint }: Rule, args: RuleArguments): string {
  const message = stored.message ?? ((given: RuleArguments) => constraint.instance.defaultMessage?.(given) ?? '');
  const template = typeof message === 'function' ? message(args) : message;
  const text = template
    .replaceAll(
      /\$constraint(\d+)/g,
      (token, index: string) => wordConstraint(args.constraints[Number(index) - 1]) ?? token,
    )
    .replaceAll('$value', () => 'the value')
    .replaceAll('$property', () => args.property)
    .replaceAll('$target', () => args.targetName);
  return redact(text === '' ? 'is not valid' : text, args.value);
}

function wordConstraint(constraint: unknown): string | undefined {
  if (Array.isArray(constraint)) return constraint.map(wordConstraint).join(', ');
  if (constraint instanceof Date || constraint instanceof RegExp) return constraint.toString();
  return typeof constraint === 'string' ? constraint : JSON.stringify(constraint);
}

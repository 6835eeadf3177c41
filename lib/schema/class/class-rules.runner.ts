import { isFields } from '../../model/fields.js';
import type { SchemaIssue } from '../component-schema.js';
import { type IssuePath, redact, writePath } from '../schema-issues.js';
import type { ClassPlan, MemberPlan, Rule } from './class-plan.js';
import type { RuleArguments } from './class-validator.loader.js';

/** Whether anything is left to run after the schema, in a class or in one that it holds. */
export function hasNarrowingRules(plan: ClassPlan, seen = new Set<ClassPlan>()): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  return [...plan.members.values()].some(
    ({ narrowing, content, nested }) =>
      narrowing.length > 0 || content === 'date' || (nested !== undefined && hasNarrowingRules(nested, seen)),
  );
}

/** Runs the rules that the schema could not express over an instance that satisfies the schema. */
export function runRules(plan: ClassPlan, instance: object): readonly SchemaIssue[] | Promise<readonly SchemaIssue[]> {
  const run = new RuleRun();
  run.visit(plan, instance, []);
  return run.pending.length === 0 ? run.issues : Promise.all(run.pending).then(() => run.issues);
}

/** Whether a value breaks a synchronous rule of a member. */
export function breaksRules(member: MemberPlan, value: unknown): boolean {
  if (member.content !== 'plain' || (member.optional && value === null)) return false;
  const holder = { [member.name]: value };
  return member.narrowing.some((rule) => {
    if (rule.constraint.async) return false;
    const verdict = judge(rule, argumentsOf(rule, holder, value), value);
    return verdict === false;
  });
}

/** The author's message for a value that breaks a rule with one; built-in synchronous rules only. */
export function wordByAuthor(member: MemberPlan, holder: object, value: unknown): string[] {
  return member.worded
    .filter((rule) => judge(rule, argumentsOf(rule, holder, value), value) === false)
    .map((rule) => wordRule(rule, argumentsOf(rule, holder, value)));
}

class RuleRun {
  readonly issues: SchemaIssue[] = [];
  readonly pending: Promise<void>[] = [];

  visit(plan: ClassPlan, instance: object, path: IssuePath): void {
    for (const member of plan.members.values()) {
      const value = readMember(instance, member.name);
      const own = [...path, member.name];
      if (member.optional && (value === null || value === undefined)) continue;
      for (const rule of member.narrowing) this.check(rule, instance, value, own);
      if (member.content === 'date') this.checkDates(value, own);
      if (member.nested !== undefined) this.visitNested(member.nested, value, own);
    }
  }

  private visitNested(plan: ClassPlan, value: unknown, path: IssuePath): void {
    if (Array.isArray(value)) value.forEach((item, index) => this.visitNested(plan, item, [...path, index]));
    else if (isFields(value)) this.visit(plan, value, path);
  }

  private check(rule: Rule, instance: object, value: unknown, path: IssuePath): void {
    const args = argumentsOf(rule, instance, value);
    const settle = (valid: boolean): void => {
      if (!valid) this.issues.push({ path: writePath(path), message: wordRule(rule, args) });
    };
    const verdict = judge(rule, args, value);
    if (typeof verdict === 'boolean') settle(verdict);
    else this.pending.push(verdict.then(settle));
  }

  /** The format admits leap seconds, `Date` does not. */
  private checkDates(value: unknown, path: IssuePath): void {
    if (Array.isArray(value)) value.forEach((item, index) => this.checkDates(item, [...path, index]));
    else if (value instanceof Date && Number.isNaN(value.getTime())) {
      this.issues.push({ path: writePath(path), message: 'must be a date and time that exists' });
    }
  }
}

/** What every object inherits, such as `toString`, is not a value of the member. */
function readMember(instance: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(instance, name)) return undefined;
  return (instance as Record<string, unknown>)[name];
}

function judge({ stored, constraint }: Rule, args: RuleArguments, value: unknown): boolean | Promise<boolean> {
  if (stored.validateIf?.(args.object, value) === false) return true;
  const validate = (item: unknown): unknown => constraint.instance.validate(item, args);
  const verdicts = stored.each === true && Array.isArray(value) ? value.map(validate) : [validate(value)];
  return verdicts.some(isThenable) ? Promise.all(verdicts).then((all) => all.every(Boolean)) : verdicts.every(Boolean);
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function argumentsOf({ stored }: Rule, object: object, value: unknown): RuleArguments {
  const { propertyName: property, constraints = [] } = stored;
  return { targetName: object.constructor.name, property, object, value, constraints };
}

/** As class-validator words it, except that `$value` does not repeat the value. */
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

import type { JsonSchema } from '../../model/json-schema.js';
import type { DtoClass } from '../schema-source.js';
import { type MemberFacts, refuse } from './class-members.reader.js';
import type { Rule } from './class-plan.js';
import type { RuleSources, RuleStorage, StoredRule } from './class-validator.loader.js';
import { InexpressibleError, meaningOf } from './rule-fragments.js';

/** The rules of a member, sorted by how they are enforced. */
export interface SortedRules {
  optional: boolean;
  nested: boolean;
  date: boolean;
  /** `@IsNotEmpty()`, whose meaning depends on the type. */
  notEmpty: { whole: boolean; items: boolean };
  notNull: boolean;
  /** All rules accept an absent value. */
  omittable: boolean;
  whole: JsonSchema[];
  items: JsonSchema[];
  hasItems: boolean;
  narrowing: Rule[];
  worded: Rule[];
}

/** Sorts the rules of a member; refuses by name the rules that would make the advertised schema wrong. */
export function sortRules(type: DtoClass, facts: MemberFacts, sources: RuleSources): SortedRules {
  const sorted: SortedRules = {
    optional: false,
    nested: false,
    date: false,
    notEmpty: { whole: false, items: false },
    notNull: false,
    omittable: true,
    whole: [],
    items: [],
    hasItems: false,
    narrowing: [],
    worded: [],
  };
  for (const rule of facts.rules) sortRule(type, facts.name, rule, sorted, sources);
  return sorted;
}

function sortRule(type: DtoClass, member: string, rule: StoredRule, sorted: SortedRules, sources: RuleSources): void {
  const label = `@${pascal(rule.name ?? rule.type)}()`;
  if ((rule.groups ?? []).length > 0 && rule.always !== true) {
    refuse(
      type,
      member,
      `has the rule ${label} in a validation group, and groups do not exist here. Remove \`groups\`, or declare a class per case.`,
    );
  }
  switch (rule.type) {
    case 'whitelistValidation':
      return;
    case 'conditionalValidation':
      if (rule.name === 'isOptional') sorted.optional = true;
      else
        refuse(
          type,
          member,
          'carries `@ValidateIf()`, a condition that a schema cannot show. Use `@IsOptional()`, a class per case, or a Standard Schema with a union.',
        );
      return;
    case 'promiseValidation':
      return refuse(type, member, 'carries `@ValidatePromise()`, and JSON has no promises. Remove it.');
    case 'nestedValidation':
      sorted.nested = true;
      sorted.omittable = false;
      sorted.hasItems ||= rule.each === true;
      return;
    default:
      for (const constraint of constraintsOf(rule, sources.rules)) {
        sortConstraint(type, { stored: rule, constraint }, sorted, sources);
      }
  }
}

function constraintsOf(
  rule: StoredRule,
  storage: RuleStorage,
): ReturnType<RuleStorage['getTargetValidatorConstraints']> {
  return rule.constraintCls === undefined ? [] : storage.getTargetValidatorConstraints(rule.constraintCls);
}

function sortConstraint(type: DtoClass, rule: Rule, sorted: SortedRules, sources: RuleSources): void {
  const { stored } = rule;
  const name = stored.name ?? '';
  const each = stored.each === true;
  sorted.hasItems ||= each;
  sorted.omittable &&= name === 'isEmpty';
  if (isKnown(rule) && stored.message !== undefined) sorted.worded.push(rule);
  if (stored.validateIf !== undefined) {
    // The author's condition cannot be advertised, but the rule still runs.
    sorted.narrowing.push(rule);
    return;
  }
  switch (name) {
    case 'isDefined':
      sorted.notNull = true;
      return;
    case 'isNotEmpty':
      sorted.notEmpty[each ? 'items' : 'whole'] = true;
      return;
    case 'isDate':
      sorted.date = true;
      sorted.narrowing.push(rule);
      return;
    case 'isInstance':
      sorted.narrowing.push(rule);
      return;
    default:
  }
  const meaning = readMeaning(type, rule);
  if (meaning !== undefined) (each ? sorted.items : sorted.whole).push(meaning.fragment);
  if (meaning?.exact !== true || !sources.isGenuine(rule.constraint) || comparesByKey(rule))
    sorted.narrowing.push(rule);
}

function readMeaning(type: DtoClass, { stored }: Rule): ReturnType<typeof meaningOf> {
  try {
    return meaningOf(stored.name ?? '', stored.constraints ?? []);
  } catch (error) {
    if (!(error instanceof InexpressibleError)) throw error;
    return refuse(
      type,
      stored.propertyName,
      `has the rule @${pascal(stored.name ?? '')}(), which cannot be advertised: ${error.message}. Change or remove the rule.`,
    );
  }
}

function isKnown({ stored, constraint }: Rule): boolean {
  return stored.name !== undefined && !constraint.async && meaningOfSafely(stored);
}

function meaningOfSafely(stored: StoredRule): boolean {
  try {
    return (
      ['isDate', 'isNotEmpty', 'isDefined'].includes(stored.name ?? '') ||
      meaningOf(stored.name ?? '', stored.constraints ?? []) !== undefined
    );
  } catch {
    return false;
  }
}

/** The function of `@ArrayUnique(item => item.id)` is not stored; a test run shows it by reading from the items. */
function comparesByKey({ stored, constraint }: Rule): boolean {
  if (stored.name !== 'arrayUnique') return false;
  let looked = false;
  const notice = { get: () => void (looked = true), has: () => (looked = true) };
  try {
    const args = { targetName: '', property: stored.propertyName, object: {}, value: undefined, constraints: [] };
    const verdict = constraint.instance.validate([new Proxy({}, notice), new Proxy({}, notice)], args);
    return looked || verdict !== true;
  } catch {
    return true;
  }
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

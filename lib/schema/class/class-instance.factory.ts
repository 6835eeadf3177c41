import { isFields } from '../../model/fields.js';
import { setMember } from '../json-value.js';
import type { ClassPlan, MemberPlan } from './class-plan.js';

/** An instance of a DTO class from a value that satisfies its schema; members left out keep their initial values. */
export function createInstance(plan: ClassPlan, value: Readonly<Record<string, unknown>>): object {
  const instance = new plan.type() as Record<string, unknown>;
  for (const member of plan.members.values()) {
    const given = Object.hasOwn(value, member.name) ? value[member.name] : undefined;
    if (given !== undefined) instance[member.name] = convert(member, given);
  }
  if (plan.open) addUndeclared(plan, instance, value);
  return instance;
}

/** Names that the instance already answers to (methods, unlisted fields, `__proto__`) are not for the caller to set. */
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

import { UnsupportedSchemaError } from '../../errors/unsupported-schema.error.js';
import type { DtoClass } from '../schema-source.js';
import type { Conversions, StoredConversion, StoredType } from './class-transformer.copies.js';
import type { RuleSources, StoredRule } from './class-validator.loader.js';
import { type MemberNote, readMemberNotes, readSwaggerDescription } from './member-notes.js';

/** The metadata that decorators stored for one member of a class, not yet interpreted. */
export interface MemberFacts {
  readonly name: string;
  readonly rules: readonly StoredRule[];
  /** Type that the compiler recorded, if it recorded one. */
  readonly designType: unknown;
  readonly declaredType: StoredType | undefined;
  readonly note: MemberNote;
}

const DANGEROUS_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
const CONVERSION_OPTIONS = ['name', 'groups', 'since', 'until', 'toClassOnly', 'toPlainOnly'];

/** Members of a class in the order of its rules; refuses decorators whose effect a schema cannot express. */
export function readMembers(type: DtoClass, sources: RuleSources): MemberFacts[] {
  const stored = sources.rules.getTargetValidationMetadatas(type, '', false, false);
  const rules = groupByMember(stored);
  const notes = readMemberNotes(type);
  const conversions = sources.conversions();
  for (const storage of conversions) refuseConversions(type, storage);
  refuseDoubt(type, sources.findDoubt(stored));
  const types = new Map(conversions.flatMap((storage) => [...collect(type, storage.types)]));
  for (const name of [...notes.keys(), ...types.keys()]) {
    if (!rules.has(name)) {
      refuse(
        type,
        name,
        'has a decorator but no validation rule, so nothing would check it. Add a rule of class-validator, such as `@IsString()`.',
      );
    }
  }
  if (rules.size === 0) {
    throw new UnsupportedSchemaError(
      `the class ${type.name} has no member with a validation rule. Add rules of class-validator to its members, or leave the parameter out if there are no arguments.`,
    );
  }
  return [...rules].map(([name, own]) => {
    if (DANGEROUS_NAMES.has(name)) refuse(type, name, 'has a name that would reach into the prototype. Rename it.');
    const description = notes.get(name)?.description ?? readSwaggerDescription(type, name);
    return {
      name,
      rules: own,
      designType: Reflect.getMetadata('design:type', type.prototype as object, name) as unknown,
      declaredType: types.get(name),
      note: { ...notes.get(name), ...(description === undefined ? {} : { description }) },
    };
  });
}

/** Refuses a member by name. */
export function refuse(type: DtoClass, member: string, reason: string): never {
  throw new UnsupportedSchemaError(`the member "${member}" of ${type.name} ${reason}`);
}

function groupByMember(rules: readonly StoredRule[]): Map<string, StoredRule[]> {
  const grouped = new Map<string, StoredRule[]>();
  for (const rule of rules) {
    const own = grouped.get(rule.propertyName);
    if (own === undefined) grouped.set(rule.propertyName, [rule]);
    else own.push(rule);
  }
  return grouped;
}

/** Entries of a class and its ancestors by member; the entry of the class wins. */
function collect<Name, Entry>(
  type: DtoClass,
  storage: ReadonlyMap<object, ReadonlyMap<Name, Entry>> | undefined,
): Map<Name, Entry> {
  const found = new Map<Name, Entry>();
  for (
    let owner: object | null = type;
    typeof owner === 'function';
    owner = Object.getPrototypeOf(owner) as object | null
  ) {
    for (const [name, entry] of storage?.get(owner) ?? []) if (!found.has(name)) found.set(name, entry);
  }
  return found;
}

/** Metadata that cannot be read might hide a member, so nothing is served then. */
function refuseDoubt(type: DtoClass, doubt: string | undefined): void {
  if (doubt === undefined) return;
  throw new UnsupportedSchemaError(
    `decorators of class-transformer on the class ${type.name}, such as \`@Exclude()\`, would not be seen: ${doubt}. Have one copy each of class-validator, class-transformer and nestjs-mcp (\`npm dedupe\`, or an alias of the bundler), all three in the bundle or all three outside.`,
  );
}

function refuseConversions(type: DtoClass, storage: Conversions): void {
  const cure = 'Convert in a pipe or in the handler, or pass a Standard Schema that transforms.';
  for (const name of collect(type, storage.transforms).keys()) {
    refuse(type, name, `carries \`@Transform()\`, whose effect a schema cannot show. ${cure}`);
  }
  for (const name of collect(type, storage.excludes).keys()) {
    if (name !== undefined)
      refuse(type, name, 'carries `@Exclude()`. Remove the member, or declare a class without it.');
    throw new UnsupportedSchemaError(
      `the class ${type.name} carries \`@Exclude()\`, which hides its members. Remove the decorator.`,
    );
  }
  for (const [name, entry] of collect(type, storage.exposes)) {
    if (name !== undefined && isConditional(entry)) {
      refuse(
        type,
        name,
        `carries \`@Expose()\` with options, which renames or hides it. Name the member as clients send it.`,
      );
    }
  }
}

function isConditional({ options = {} }: StoredConversion): boolean {
  return CONVERSION_OPTIONS.some((option) => options[option] !== undefined);
}

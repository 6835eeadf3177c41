import type { Fields } from './fields.js';

/** What is wrong with a value, and the place inside it; the calling code adds the name of the option. */
export interface MetadataFault {
  /** Such as `[0].src`; empty for the value as a whole. */
  readonly place: string;
  /** What the value must be, as a sentence that follows its name. */
  readonly reason: string;
}

/** Checks one member: returns what the value must be, or `undefined` if it is valid. */
export type MemberRule = (value: unknown) => string | undefined;

export interface MemberRules {
  readonly known: Readonly<Record<string, MemberRule>>;
  /** Advice for a member that has no rule. */
  readonly otherwise?: string;
}

/** Finds the first member that breaks its rule or has no rule, which is mostly a typing error. */
export function findMemberFault(
  fields: Fields,
  { known, otherwise = '' }: MemberRules,
  place: string,
): MetadataFault | undefined {
  for (const [key, value] of Object.entries(fields)) {
    const own = `${place}.${key}`;
    if (!Object.hasOwn(known, key)) {
      return {
        place: own,
        reason: `this option does not exist. Valid options: ${Object.keys(known).join(', ')}.${otherwise}`,
      };
    }
    const reason = value === undefined ? undefined : known[key](value);
    if (reason !== undefined) return { place: own, reason };
  }
  return undefined;
}

/** A blank title would hide the name. */
export const isTitle: MemberRule = (value) =>
  typeof value === 'string' && value.trim() !== ''
    ? undefined
    : 'it must be a string that is not blank. Leave it out if there is none.';

export function findTitleFault(title: unknown): MetadataFault | undefined {
  const reason = isTitle(title);
  return reason === undefined ? undefined : { place: '', reason };
}

import type { Fields } from './fields.js';

/** What is wrong with a value, and where inside it; whoever found it names the option. */
export interface MetadataFault {
  /** Such as `[0].src`; empty for the value as a whole. */
  readonly place: string;
  /** Says what it must be, as a sentence without its subject. */
  readonly reason: string;
}

/** A rule for one member: what it must be, or nothing where it is fine. */
export type MemberRule = (value: unknown) => string | undefined;

export interface MemberRules {
  readonly known: Readonly<Record<string, MemberRule>>;
  /** What to do with a member that has no rule. */
  readonly otherwise?: string;
}

/** The first member that breaks its rule, or that has none, which mostly is a slip of the pen. */
export function findMemberFault(
  fields: Fields,
  { known, otherwise = '' }: MemberRules,
  place: string,
): MetadataFault | undefined {
  for (const [key, value] of Object.entries(fields)) {
    const own = `${place}.${key}`;
    if (!Object.hasOwn(known, key)) {
      return { place: own, reason: `there is no such option. Known are ${Object.keys(known).join(', ')}.${otherwise}` };
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

import { isFields } from '../model/fields.js';

/** What a client can be asked. */
export const CLIENT_CAPABILITIES = [
  'elicitation.form',
  'elicitation.url',
  'sampling',
  'sampling.tools',
  'sampling.context',
  'roots',
] as const;

/**
 * Something that a client can declare to be asked for.
 *
 * @publicApi
 */
export type ClientCapability = (typeof CLIENT_CAPABILITIES)[number];

/** Capabilities as clients declare them, and as errors name them. */
export type WireCapabilities = Readonly<Record<string, unknown>>;

/** Something to ask, as far as it matters to whom it can be asked. */
export interface NeedyQuestion {
  readonly needs: readonly ClientCapability[];
}

/** Whether a client can be asked. */
export type CapabilityVerdict =
  | { readonly kind: 'covered' }
  /** A client that lacks something; `required` is all that the questions need. */
  | { readonly kind: 'missing'; readonly required: WireCapabilities }
  /** A client whose declaration says nothing that the protocol knows. */
  | { readonly kind: 'malformed'; readonly capability: string };

/** Members that have a meaning to the protocol; others may come with later revisions. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: [],
};

/** Whether a client declared it. A malformed declaration declares nothing. */
export function hasCapability(declared: WireCapabilities, capability: ClientCapability): boolean {
  const [kind, member] = split(capability);
  const value = Object.hasOwn(declared, kind) ? declared[kind] : undefined;
  return isWellFormed(kind, value) && declares(value, kind, member);
}

/** What a client has to declare for all of the questions, as one `ClientCapabilities` object. */
export function requiredCapabilities(questions: Iterable<NeedyQuestion>): WireCapabilities {
  const required: Record<string, Record<string, unknown>> = {};
  for (const { needs } of questions) {
    for (const need of needs) {
      const [kind, member] = split(need);
      const members = (required[kind] ??= {});
      if (member !== undefined) members[member] = {};
    }
  }
  return required;
}

/** Whether a client can be asked all of the questions. They are asked together or not at all. */
export function missingCapabilities(questions: Iterable<NeedyQuestion>, declared: WireCapabilities): CapabilityVerdict {
  const asked = [...questions];
  const needs = asked.flatMap((question) => question.needs);
  for (const [kind] of needs.map(split)) {
    if (Object.hasOwn(declared, kind) && !isWellFormed(kind, declared[kind])) {
      return { kind: 'malformed', capability: kind };
    }
  }
  return needs.every((need) => hasCapability(declared, need))
    ? { kind: 'covered' }
    : { kind: 'missing', required: requiredCapabilities(asked) };
}

function split(capability: ClientCapability): [kind: string, member?: string] {
  const [kind = '', member] = capability.split('.');
  return member === undefined ? [kind] : [kind, member];
}

/** An elicitation that names only modes of which the protocol knows nothing is malformed: there has to be one. */
function isWellFormed(kind: string, value: unknown): value is Record<string, unknown> {
  if (!isFields(value)) return false;
  const known = (MEMBERS[kind] ?? []).filter((member) => Object.hasOwn(value, member));
  if (!known.every((member) => isFields(value[member]))) return false;
  return kind !== 'elicitation' || known.length > 0 || Object.keys(value).length === 0;
}

function declares(value: Record<string, unknown>, kind: string, member: string | undefined): boolean {
  if (member === undefined || Object.hasOwn(value, member)) return true;
  // Forms are older than the list of modes, so a client that lists none shows forms.
  return kind === 'elicitation' && member === 'form' && Object.keys(value).length === 0;
}

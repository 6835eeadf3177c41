import { isFields } from '../model/fields.js';

/** Capabilities of clients that questions can need. */
export const CLIENT_CAPABILITIES = [
  'elicitation.form',
  'elicitation.url',
  'sampling',
  'sampling.tools',
  'sampling.context',
  'roots',
] as const;

/**
 * A capability of a client that a question can need.
 *
 * @publicApi
 */
export type ClientCapability = (typeof CLIENT_CAPABILITIES)[number];

/** Capabilities in the form of the protocol, as in declarations of clients and in errors. */
export type WireCapabilities = Readonly<Record<string, unknown>>;

/** The capabilities that a question needs. */
export interface QuestionRequirements {
  readonly needs: readonly ClientCapability[];
}

/** Whether a client supports the questions. */
export type CapabilityVerdict =
  | { readonly kind: 'covered' }
  /** The client lacks a capability; `required` are all capabilities that the questions need. */
  | { readonly kind: 'missing'; readonly required: WireCapabilities }
  /** The declaration of the client contains only members that the protocol does not define. */
  | { readonly kind: 'malformed'; readonly capability: string };

/** Members that the protocol defines; later revisions may add others. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: [],
};

/** Whether a client declared the capability. A malformed declaration counts as absent. */
export function hasCapability(declared: WireCapabilities, capability: ClientCapability): boolean {
  const [kind, member] = split(capability);
  const value = Object.hasOwn(declared, kind) ? declared[kind] : undefined;
  return isWellFormed(kind, value) && declares(value, kind, member);
}

/** Collects the capabilities that all questions need, as one `ClientCapabilities` object. */
export function requiredCapabilities(questions: Iterable<QuestionRequirements>): WireCapabilities {
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

/** Whether a client supports all of the questions, which are asked together or not at all. */
export function missingCapabilities(
  questions: Iterable<QuestionRequirements>,
  declared: WireCapabilities,
): CapabilityVerdict {
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

/** An elicitation capability with only unknown modes is malformed, since the protocol requires a known one. */
function isWellFormed(kind: string, value: unknown): value is Record<string, unknown> {
  if (!isFields(value)) return false;
  const known = (MEMBERS[kind] ?? []).filter((member) => Object.hasOwn(value, member));
  if (!known.every((member) => isFields(value[member]))) return false;
  return kind !== 'elicitation' || known.length > 0 || Object.keys(value).length === 0;
}

function declares(value: Record<string, unknown>, kind: string, member: string | undefined): boolean {
  if (member === undefined || Object.hasOwn(value, member)) return true;
  // Forms are older than the list of modes, so a client that lists no modes supports forms.
  return kind === 'elicitation' && member === 'form' && Object.keys(value).length === 0;
}

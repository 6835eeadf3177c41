import { isFields } from './fields.js';
import { findMemberFault, isTitle, type MemberRule, type MetadataFault } from './metadata-fault.js';

const isBoolean: MemberRule = (value) => (typeof value === 'boolean' ? undefined : 'it must be true or false.');

const TOOL: Readonly<Record<string, MemberRule>> = {
  title: isTitle,
  readOnlyHint: isBoolean,
  destructiveHint: isBoolean,
  idempotentHint: isBoolean,
  openWorldHint: isBoolean,
};

/** Clients accept only a full date and time with a time zone. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const CONTENT: Readonly<Record<string, MemberRule>> = {
  audience: (value) =>
    Array.isArray(value) && value.every((role) => role === 'user' || role === 'assistant')
      ? undefined
      : 'it must be a list of "user" and "assistant".',
  priority: (value) =>
    typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'it must be a number from 0 to 1.',
  lastModified: (value) =>
    typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value))
      ? undefined
      : 'it must be a time with its zone in the form of ISO 8601, such as "2026-07-28T12:00:00Z".',
};

export const findToolAnnotationFault = (annotations: unknown): MetadataFault | undefined =>
  findAnnotationFault(annotations, TOOL);

/** Checks the annotations of resources and templates, which are those of content blocks. */
export const findContentAnnotationFault = (annotations: unknown): MetadataFault | undefined =>
  findAnnotationFault(annotations, CONTENT);

/** Refuses unknown hints, since clients would ignore a misspelt hint and show the tool with the wrong defaults. */
function findAnnotationFault(
  annotations: unknown,
  known: Readonly<Record<string, MemberRule>>,
): MetadataFault | undefined {
  if (!isFields(annotations)) return { place: '', reason: 'it must be an object.' };
  return findMemberFault(annotations, { known, otherwise: ' Anything else goes into "meta".' }, '');
}

/** Whether the annotations of a content block are valid; clients ignore unknown members. */
export const isContentAnnotations = (annotations: unknown): boolean =>
  isFields(annotations) &&
  Object.entries(CONTENT).every(
    ([key, rule]) => annotations[key] === undefined || rule(annotations[key]) === undefined,
  );

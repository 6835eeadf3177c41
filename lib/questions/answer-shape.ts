import { isFields } from '../model/fields.js';
import type { AnswerReading } from './question.js';

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

/** The members of every answer to an elicitation; `content` is flat for all actions. */
export interface ElicitShape {
  readonly action: (typeof ACTIONS)[number];
  readonly content: Readonly<Record<string, unknown>>;
}

/** Checks an answer to an elicitation against the protocol, without the author's schema. */
export function readElicitShape(answer: unknown): ElicitShape | undefined {
  const said = ownMember(answer, 'action');
  const action = ACTIONS.find((known) => known === said);
  // Some clients send null for absent content.
  const content = ownMember(answer, 'content') ?? {};
  return action === undefined || !isFlat(content) ? undefined : { action, content };
}

/** The reading of an answer that the protocol does not allow for its kind of question. */
export function malformed(kind: string): AnswerReading<never> {
  return { ok: false, kind: 'malformed', message: `The client's response is not a result of ${kind}` };
}

/** Reads an own member of an object. */
export function ownMember(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isFlat(content: unknown): content is Record<string, unknown> {
  return isFields(content) && Object.values(content).every(isFormValue);
}

function isFormValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

import { isFields } from '../model/fields.js';
import type { AnswerReading } from './question.js';

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

/** What every answer to an elicitation says; `content` is flat, whatever the action. */
export interface ElicitShape {
  readonly action: (typeof ACTIONS)[number];
  readonly content: Readonly<Record<string, unknown>>;
}

/** Reads what the protocol alone says of an answer to an elicitation. */
export function readElicitShape(answer: unknown): ElicitShape | undefined {
  const said = ownMember(answer, 'action');
  const action = ACTIONS.find((known) => known === said);
  // Some clients write null where they have nothing to say.
  const content = ownMember(answer, 'content') ?? {};
  return action === undefined || !isFlat(content) ? undefined : { action, content };
}

/** The reading of what is no answer to a question of its kind. */
export function malformed(kind: string): AnswerReading<never> {
  return { ok: false, kind: 'malformed', message: `The client's response is not a result of ${kind}` };
}

/** A member that the object itself has. */
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

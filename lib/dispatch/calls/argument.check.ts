import { InvalidArgumentsError } from '../../errors/invalid-arguments.error.js';
import type { ComponentSchema, SchemaIssue, SchemaVerdict } from '../../schema/component-schema.js';

/** The part of a call whose arguments are checked. */
export interface CheckedCall {
  arguments: unknown;
  validated: boolean;
}

const sentence = ({ path, message }: SchemaIssue): string => (path === '' ? message : `${path}: ${message}`);

/** Replaces the arguments by the validated ones; synchronous where the schema is. */
export function checkArguments(call: CheckedCall, schema: ComponentSchema | undefined): Promise<void> | undefined {
  if (call.validated || schema === undefined) return undefined;
  const verdict = schema.validate(call.arguments);
  if (verdict instanceof Promise) return verdict.then((settled) => accept(call, settled));
  accept(call, verdict);
  return undefined;
}

function accept(call: CheckedCall, verdict: SchemaVerdict): void {
  if (!verdict.ok) throw new InvalidArgumentsError(verdict.issues.map(sentence));
  call.arguments = verdict.value;
  call.validated = true;
}

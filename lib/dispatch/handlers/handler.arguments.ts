import { InvalidArgumentsError } from '../../errors/invalid-arguments.error.js';
import {
  ARGUMENTS_KIND,
  isImpliedContext,
  type ParameterPlan,
  type ParameterRecord,
} from '../../registry/parameter-plan.js';
import type { Method } from '../../registry/registered-component.js';
import type { ComponentSchema, SchemaIssue, SchemaVerdict } from '../../schema/component-schema.js';
import type { Call } from '../calls/call.js';

const sentence = ({ path, message }: SchemaIssue): string => (path === '' ? message : `${path}: ${message}`);

/** Replaces the arguments by the validated ones; synchronous if the schema is. */
export function checkArguments(call: Call, schema: ComponentSchema | undefined): Promise<void> | undefined {
  if (call.validated || schema === undefined) return undefined;
  const verdict = schema.validate(call.arguments);
  if (verdict instanceof Promise) return verdict.then((settled) => accept(call, settled));
  accept(call, verdict);
  return undefined;
}

function accept(call: Call, verdict: SchemaVerdict): void {
  if (!verdict.ok) throw new InvalidArgumentsError(verdict.issues.map(sentence));
  call.arguments = verdict.value;
  call.validated = true;
}

/** Fills a handler's parameters without Nest. */
export type DirectArguments = (call: Call) => readonly unknown[];

type Fill = (call: Call) => unknown;

/**
 * Most handlers take the arguments, the context or both, without pipes. Filling these parameters here avoids Nest's
 * promise per parameter. Returns `undefined` when another parameter has to be filled.
 */
export function planDirectArguments(plan: ParameterPlan): DirectArguments | undefined {
  const fills: Fill[] = [];
  for (const [key, record] of Object.entries(plan.records)) {
    const fill = fillOf(key, record);
    if (fill === undefined) return undefined;
    fills[record.index] = fill;
  }
  return (call) => fills.map((fill) => fill(call));
}

/** Calls the method with the arguments that `direct` fills. */
export function runDirectly(
  direct: DirectArguments,
  { instance, method }: { readonly instance: object; readonly method: Method },
  call: Call,
): unknown {
  return Reflect.apply(method, instance, direct(call));
}

function fillOf(key: string, { data, index, pipes = [] }: ParameterRecord): Fill | undefined {
  if (pipes.length > 0) return undefined;
  if (isImpliedContext(key, index)) return (call) => call.context;
  return key === `${ARGUMENTS_KIND}:${index}` && data === undefined ? (call) => call.arguments : undefined;
}

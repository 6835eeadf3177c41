import type { ComponentSchema, SchemaIssue, SchemaVerdict } from '../../schema/component-schema.js';
import { InputRequired } from '../../questions/input-required.js';
import type { Call } from '../calls/call.js';
import { collectEmissions, isEmitting } from './emissions.js';
import { nextTurn, TURN } from '../calls/event.rules.js';
import { InvalidArgumentsError } from '../../errors/invalid-arguments.error.js';
import {
  ARGUMENTS_KIND,
  isImpliedContext,
  type ParameterPlan,
  type ParameterRecord,
} from '../../registry/parameter-plan.js';
import type { Method } from '../../registry/registered-component.js';

/** Runs the method itself, once its arguments are in order. */
export type MethodRun = (call: Call) => unknown;

/** What lies between interceptors and result: argument schema, pipes, the handler, and what it emits. */
export function runHandler(call: Call, schema: ComponentSchema | undefined, run: MethodRun): unknown {
  return call.request.retry === undefined ? checkAndRun(call, schema, run) : restoreAndRun(call, schema, run);
}

/** What earlier rounds left has to be there, and to be in order, before anything of this one runs. */
async function restoreAndRun(call: Call, schema: ComponentSchema | undefined, run: MethodRun): Promise<unknown> {
  await call.rounds.restore();
  return checkAndRun(call, schema, run);
}

function checkAndRun(call: Call, schema: ComponentSchema | undefined, run: MethodRun): unknown {
  const pending = checkArguments(call, schema);
  return pending === undefined ? invoke(call, run) : pending.then(() => invoke(call, run));
}

function invoke(call: Call, run: MethodRun): unknown {
  const value = run(call);
  if (!isThenable(value)) return collect(value, call);
  const pending = value instanceof Promise ? (value as Promise<unknown>) : unwrap(value, call);
  return pending.then((settled) => collect(settled, call));
}

/** A thenable may end with another one, and so on for ever, which a promise would follow without a pause. */
async function unwrap(value: PromiseLike<unknown>, call: Call): Promise<unknown> {
  let current: unknown = value;
  for (let links = 1; isThenable(current) && call.running; links += 1) {
    if (current instanceof Promise) return current;
    current = (await boxed(current)).value;
    if (links % TURN === 0) await nextTurn();
  }
  return call.running ? current : undefined;
}

/** What a thenable itself ends with. Its own `then` need not return a promise. */
function boxed(thenable: PromiseLike<unknown>): Promise<{ readonly value: unknown }> {
  return new Promise((resolve, reject) => {
    thenable.then((value) => resolve({ value }), reject);
  });
}

function collect(value: unknown, call: Call): unknown {
  return isEmitting(value) ? collectEmissions(value, call).then((last) => conclude(last, call)) : conclude(value, call);
}

/** A round that its author ends by hand; neither interceptors nor filters have a say in it. */
function conclude(value: unknown, call: Call): unknown {
  return InputRequired.is(value) ? call.rounds.require(value) : value;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

const sentence = ({ path, message }: SchemaIssue): string => (path === '' ? message : `${path}: ${message}`);

/** Replaces the arguments by the validated ones; synchronous where the schema is. */
function checkArguments(call: Call, schema: ComponentSchema | undefined): Promise<void> | undefined {
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
 * Most handlers take the arguments, the context or both, and no pipe looks at them. Filling those here spares Nest's
 * promise per parameter; `undefined` when a parameter needs more than that.
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

/** The method of an instance, with the arguments that the plan fills. */
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

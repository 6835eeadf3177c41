import type { ComponentSchema } from '../../schema/component-schema.js';
import { InputRequired } from '../../inputs/input-required.js';
import { checkArguments } from '../calls/argument.check.js';
import type { Call } from '../calls/call.js';
import { collectEmissions, isEmitting } from '../events/emissions.js';
import { nextTurn, TURN } from '../events/event.rules.js';

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

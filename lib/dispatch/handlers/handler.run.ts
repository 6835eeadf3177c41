import type { ComponentSchema } from '../../schema/component-schema.js';
import { InputRequired } from '../../inputs/input-required.js';
import { checkArguments } from '../calls/argument.check.js';
import type { Call } from '../calls/call.js';
import { collectEmissions, isEmitting } from '../events/emissions.js';

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
  // What a thenable's own `then` returns need not be a promise.
  return isThenable(value) ? Promise.resolve(value).then((settled) => collect(settled, call)) : collect(value, call);
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

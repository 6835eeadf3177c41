import type { ComponentSchema } from '../../schema/component-schema.js';
import { InputRequired } from '../../inputs/input-required.js';
import { checkArguments } from '../calls/argument.check.js';
import type { Call } from '../calls/call.js';
import { collectEmissions, isEmitting } from '../events/emissions.js';
import type { DirectArguments } from './direct-arguments.js';
import type { Continuation } from './nest-internals.js';

/** The method to run, and Nest's own way to run it with pipes and parameter decorators. */
export interface HandlerTarget {
  readonly instance: unknown;
  readonly method: (...args: readonly unknown[]) => unknown;
  readonly next: Continuation;
}

/** What lies between interceptors and result: argument schema, pipes, the handler, and what it emits. */
export function runHandler(
  call: Call,
  schema: ComponentSchema | undefined,
  target: HandlerTarget,
  direct: DirectArguments | undefined,
): unknown {
  if (call.request.retry !== undefined) return restoreAndRun(call, schema, target, direct);
  return checkAndRun(call, schema, target, direct);
}

/** What earlier rounds left has to be there, and to be in order, before anything of this one runs. */
async function restoreAndRun(...parts: Parameters<typeof checkAndRun>): Promise<unknown> {
  await parts[0].rounds.restore();
  return checkAndRun(...parts);
}

function checkAndRun(
  call: Call,
  schema: ComponentSchema | undefined,
  target: HandlerTarget,
  direct: DirectArguments | undefined,
): unknown {
  const pending = checkArguments(call, schema);
  return pending === undefined ? invoke(call, target, direct) : pending.then(() => invoke(call, target, direct));
}

function invoke(call: Call, target: HandlerTarget, direct: DirectArguments | undefined): unknown {
  const value = direct === undefined ? target.next() : target.method.apply(target.instance, [...direct(call)]);
  return isThenable(value) ? value.then((settled) => collect(settled, call)) : collect(value, call);
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

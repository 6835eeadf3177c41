import { isObservable, type Observable, type Observer } from 'rxjs';

import type { ComponentSchema } from '../../schema/component-schema.js';
import { InputRequired } from '../../questions/input-required.js';
import type { Call } from '../calls/call.js';
import { checkArguments } from './handler.arguments.js';
import { nextTurn, TURN } from '../calls/event.rules.js';
import { CallCancelledError } from '../../errors/call-cancelled.error.js';
import { LastValue, QuietSubscriber } from '../../errors/quiet.subscriber.js';
import { LogItem, ProgressItem, type CallEvent } from '../../model/event.js';

/** Runs the method itself, after its arguments were validated. */
export type MethodRun = (call: Call) => unknown;

/** Runs all steps between interceptors and result: argument schema, pipes, the handler, and its emitted events. */
export function runHandler(call: Call, schema: ComponentSchema | undefined, run: MethodRun): unknown {
  return call.request.retry === undefined ? checkAndRun(call, schema, run) : restoreAndRun(call, schema, run);
}

/** Restores the state of earlier rounds, and refuses an invalid one, before the handler runs. */
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

/** Resolves nested thenables step by step, since a promise would follow an endless chain without yielding. */
async function unwrap(value: PromiseLike<unknown>, call: Call): Promise<unknown> {
  let current: unknown = value;
  for (let links = 1; isThenable(current) && call.running; links += 1) {
    if (current instanceof Promise) return current;
    current = (await resolveOnce(current)).value;
    if (links % TURN === 0) await nextTurn();
  }
  return call.running ? current : undefined;
}

/** Resolves one thenable, without the thenables inside it. Its `then` need not return a promise. */
function resolveOnce(thenable: PromiseLike<unknown>): Promise<{ readonly value: unknown }> {
  return new Promise((resolve, reject) => {
    thenable.then((value) => resolve({ value }), reject);
  });
}

function collect(value: unknown, call: Call): unknown {
  return isEmitting(value) ? collectEmissions(value, call).then((last) => conclude(last, call)) : conclude(value, call);
}

/** Handles a returned `inputRequired()`, which bypasses interceptors and filters. */
function conclude(value: unknown, call: Call): unknown {
  return InputRequired.is(value) ? call.rounds.require(value) : value;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** The part of a call that a stream of a handler needs. */
export interface EmissionTarget {
  readonly signal: AbortSignal;
  readonly running: boolean;
  /** Time limit of the call, in milliseconds; `Infinity` for no limit. */
  readonly timeoutMs: number;
  emit(event: CallEvent): Promise<void>;
  /** `emit` without a promise, for callers that cannot wait; throws the errors with which `emit` rejects at once. */
  post(event: CallEvent, reject: (cause: unknown) => void): void;
  /** Called with errors of the handler that can no longer reach the client. */
  reportError(error: unknown): void;
}

const isEvent = (item: unknown): item is CallEvent => item instanceof ProgressItem || item instanceof LogItem;

/** The return value of a generator method, `async` or not. */
type Emitter = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>;

const isGenerator = (value: unknown): value is Emitter =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.asyncIterator in value || Object.prototype.toString.call(value) === '[object Generator]') &&
  typeof (value as Emitter).next === 'function' &&
  typeof (value as Emitter).return === 'function';

/** Whether a returned value emits over time, rather than being the result itself. */
export const isEmitting = (value: unknown): value is Observable<unknown> | Emitter =>
  isObservable(value) || isGenerator(value);

/**
 * Passes on the events of a handler's Observable or generator, and resolves with its last value that is not an event.
 * When the call is cancelled, it unsubscribes, or calls the generator's `return()`.
 */
export function collectEmissions(
  source: Observable<unknown> | Emitter,
  target: EmissionTarget,
  now: () => number = () => performance.now(),
): Promise<unknown> {
  return isObservable(source)
    ? new Promise((resolve, reject) => new Collection(target, now, { resolve, reject }).follow(source))
    : collectGenerator(source, target);
}

/** Throws to end the loop of an Observable that never checks whether it is still subscribed. */
class EmissionSubscriber extends QuietSubscriber<unknown> {
  private isFollowing = false;
  private isGivenUp = false;

  override follow(source: Observable<unknown>): this {
    this.isFollowing = true;
    super.follow(source);
    this.isFollowing = false;
    return this;
  }

  override next(value: unknown): void {
    if (this.isGivenUp && this.isFollowing) throw new CallCancelledError('deadline');
    super.next(value);
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.unsubscribe();
  }
}

interface Settling {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Collects the values of one Observable. */
class Collection implements Observer<unknown> {
  private readonly last: LastValue;
  private readonly subscriber: EmissionSubscriber;
  private readonly dueAt: number;
  private taken = 0;

  constructor(
    private readonly target: EmissionTarget,
    private readonly now: () => number,
    private readonly settling: Settling,
  ) {
    const reportError = (error: unknown): void => target.reportError(error);
    this.last = new LastValue(reportError);
    this.subscriber = new EmissionSubscriber(this, reportError);
    this.dueAt = target.timeoutMs === Infinity ? Infinity : now() + target.timeoutMs;
  }

  follow(source: Observable<unknown>): void {
    const { signal } = this.target;
    signal.addEventListener('abort', this.stop, { once: true });
    this.subscriber.follow(source);
    if (signal.aborted) this.stop();
  }

  next(item: unknown): void {
    this.taken += 1;
    // Timers cannot run during a synchronous loop, so the deadline is checked here; its timer ends the call afterwards.
    if (this.taken % TURN === 0 && this.dueAt <= this.now()) this.subscriber.giveUp();
    else if (isEvent(item)) this.emit(item);
    else this.last.set(item);
  }

  error(error: unknown): void {
    this.leave();
    this.last.drop();
    this.settling.reject(error);
  }

  complete(): void {
    this.leave();
    this.settling.resolve(this.last.value);
  }

  private emit(item: CallEvent): void {
    const fail = (error: unknown): void => this.fail(error);
    try {
      this.target.post(item, fail);
    } catch (error) {
      fail(error);
    }
  }

  /** An event that cannot be sent ends the Observable too. */
  private fail(error: unknown): void {
    this.subscriber.unsubscribe();
    this.error(error);
  }

  private readonly stop = (): void => {
    this.subscriber.unsubscribe();
    this.leave();
    this.last.drop();
    this.settling.resolve(undefined);
  };

  private leave(): void {
    this.target.signal.removeEventListener('abort', this.stop);
  }
}

async function collectGenerator(source: Emitter, target: EmissionTarget): Promise<unknown> {
  const last = new LastValue((error) => target.reportError(error));
  for (let steps = 1; ; steps += 1) {
    const step = await source.next();
    if (step.done === true) return step.value === undefined ? last.value : step.value;
    if (isEvent(step.value)) await emitFrom(source, step.value, target);
    else last.set(step.value);
    // A generator may yield endlessly without awaiting anything.
    if (target.running && steps % TURN === 0) await nextTurn();
    if (!target.running) {
      last.drop();
      await leave(source, target);
      return undefined;
    }
  }
}

/** An event that cannot be sent ends the generator too, so that its `finally` runs. */
async function emitFrom(source: Emitter, event: CallEvent, target: EmissionTarget): Promise<void> {
  try {
    await target.emit(event);
  } catch (error) {
    await leave(source, target);
    throw error;
  }
}

/** Ends the generator; an error of its `finally` is logged, since it is not the reason why it ended. */
async function leave(source: Emitter, target: EmissionTarget): Promise<void> {
  try {
    await source.return(undefined);
  } catch (error) {
    target.reportError(error);
  }
}

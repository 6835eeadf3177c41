import { isObservable, type Observable } from 'rxjs';

import { LogItem, ProgressItem, type CallEvent } from '../../model/event.js';

/** The part of a call that a stream of a handler needs. */
export interface EmissionTarget {
  readonly signal: AbortSignal;
  readonly running: boolean;
  emit(event: CallEvent): Promise<void>;
}

const isEvent = (item: unknown): item is CallEvent => item instanceof ProgressItem || item instanceof LogItem;

/** What a method with a star returns, `async` or not. */
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
 * Passes events of a handler's Observable or generator on, and resolves with the last other value.
 * A cancelled call unsubscribes, or runs the generator's `return()`.
 */
export function collectEmissions(source: Observable<unknown> | Emitter, target: EmissionTarget): Promise<unknown> {
  return isObservable(source) ? collectObservable(source, target) : collectGenerator(source, target);
}

function collectObservable(source: Observable<unknown>, target: EmissionTarget): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: unknown;
    const { signal } = target;
    const stop = (): void => {
      subscription?.unsubscribe();
      resolve(undefined);
    };
    let subscription: { unsubscribe(): void } | undefined;
    const settle = (finish: () => void): void => {
      signal.removeEventListener('abort', stop);
      subscription?.unsubscribe();
      finish();
    };
    subscription = source.subscribe({
      next: (item) => {
        if (isEvent(item)) target.emit(item).catch((error: unknown) => settle(() => reject(error)));
        else last = item;
      },
      error: (error: unknown) => settle(() => reject(error)),
      complete: () => settle(() => resolve(last)),
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

async function collectGenerator(source: Emitter, target: EmissionTarget): Promise<unknown> {
  let last: unknown;
  while (true) {
    const step = await source.next();
    if (step.done === true) return step.value === undefined ? last : step.value;
    if (isEvent(step.value)) await emitFrom(source, step.value, target);
    else last = step.value;
    if (!target.running) {
      await source.return(undefined);
      return undefined;
    }
  }
}

/** An event that cannot be sent ends the generator too, so that its `finally` runs. */
async function emitFrom(source: Emitter, event: CallEvent, target: EmissionTarget): Promise<void> {
  try {
    await target.emit(event);
  } catch (error) {
    await source.return(undefined);
    throw error;
  }
}

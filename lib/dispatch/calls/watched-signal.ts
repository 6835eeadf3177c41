import type { ReportError } from '../../errors/quiet.subscriber.js';

type Listener = Parameters<AbortSignal['addEventListener']>[1];
type Options = Parameters<AbortSignal['addEventListener']>[2];
type EventCallback = (this: AbortSignal, event: Event) => void;

/** Receives the errors that listeners of a signal throw. */
const reporters = new WeakMap<AbortSignal, ReportError>();

/** The function that Node calls in place of each listener, kept so that it can be removed again. */
const callbacks = new WeakMap<object, EventCallback>();

/**
 * Node.js ends the process when a listener of a signal throws or rejects. Errors of this signal's listeners go to
 * `reportError` instead. The signal stays a real `AbortSignal`, so every API accepts it.
 */
export function watchListeners(signal: AbortSignal, reportError: ReportError): AbortSignal {
  reporters.set(signal, reportError);
  return Object.setPrototypeOf(signal, WatchedSignal.prototype) as AbortSignal;
}

/** Never constructed: it becomes the prototype of a signal of Node. */
class WatchedSignal extends AbortSignal {
  override addEventListener(type: string, listener: Listener, options?: Options): void {
    super.addEventListener(type, callbackOf(listener), options);
  }

  override removeEventListener(type: string, listener: Listener, options?: Options): void {
    super.removeEventListener(type, callbackOf(listener), options);
  }
}

/** Returns the same function for the same listener. An invalid listener is passed on, so that Node rejects it. */
function callbackOf(listener: Listener): EventCallback {
  if (typeof listener !== 'function' && (typeof listener !== 'object' || listener === null)) return listener;
  let callback = callbacks.get(listener);
  if (callback === undefined) {
    callback = function call(event) {
      run(this, listener, event);
    };
    callbacks.set(listener, callback);
  }
  return callback;
}

function run(signal: AbortSignal, listener: Listener, event: Event): void {
  const reportError = (error: unknown): void => reporters.get(signal)?.(error);
  try {
    const outcome: unknown =
      typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event);
    if (outcome instanceof Promise) outcome.catch(reportError);
  } catch (error) {
    reportError(error);
  }
}

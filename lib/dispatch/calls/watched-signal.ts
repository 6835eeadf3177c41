import type { Complain } from '../../errors/quiet.subscriber.js';

type Listener = Parameters<AbortSignal['addEventListener']>[1];
type Options = Parameters<AbortSignal['addEventListener']>[2];
type EventCallback = (this: AbortSignal, event: Event) => void;

/** Who hears of what listeners of a signal throw. */
const complaints = new WeakMap<AbortSignal, Complain>();

/** What Node calls in place of each listener, so that it can be removed again. */
const callbacks = new WeakMap<object, EventCallback>();

/**
 * Node.js ends the process for what a listener of a signal throws, or rejects with. Those of this signal are called so that
 * it is told instead. The signal stays a real one, and all that takes an `AbortSignal` takes it.
 */
export function watchListeners(signal: AbortSignal, complain: Complain): AbortSignal {
  complaints.set(signal, complain);
  return Object.setPrototypeOf(signal, WatchedSignal.prototype) as AbortSignal;
}

/** Nobody makes one: it is what a signal of Node becomes. */
class WatchedSignal extends AbortSignal {
  override addEventListener(type: string, listener: Listener, options?: Options): void {
    super.addEventListener(type, callbackOf(listener), options);
  }

  override removeEventListener(type: string, listener: Listener, options?: Options): void {
    super.removeEventListener(type, callbackOf(listener), options);
  }
}

/** The same for the same listener; what is none is left for Node to judge. */
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
  const complain = (error: unknown): void => complaints.get(signal)?.(error);
  try {
    const outcome: unknown =
      typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event);
    if (outcome instanceof Promise) outcome.catch(complain);
  } catch (error) {
    complain(error);
  }
}

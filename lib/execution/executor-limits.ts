import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { ExecutorOptions } from './executor-options.interface.js';

export type ExecutorLimits = Readonly<Required<ExecutorOptions>>;

/** Refuses what is no whole number in range; defaults left open follow from the two big numbers. */
export function createExecutorLimits(options: ExecutorOptions): ExecutorLimits {
  const { maxConcurrency = 32, maxQueue = 256 } = options;
  const {
    maxPerOwner = Math.ceil(maxConcurrency / 2),
    maxQueuedPerOwner = Math.ceil(maxQueue / 2),
    abandonAfterMs = 5_000,
    maxAbandoned = maxConcurrency,
  } = options;
  return {
    maxConcurrency: wholeNumber(maxConcurrency, 'maxConcurrency', 1),
    maxQueue: wholeNumber(maxQueue, 'maxQueue', 0),
    maxPerOwner: wholeNumber(maxPerOwner, 'maxPerOwner', 1),
    maxQueuedPerOwner: wholeNumber(maxQueuedPerOwner, 'maxQueuedPerOwner', 0),
    abandonAfterMs: wholeNumber(abandonAfterMs, 'abandonAfterMs', 0),
    maxAbandoned: wholeNumber(maxAbandoned, 'maxAbandoned', 1),
  };
}

export function wholeNumber(value: number, option: string, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidOptionsError(option, `it must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}.`);
}

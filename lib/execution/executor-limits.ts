import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { ExecutorOptions } from './executor-options.interface.js';

export type ExecutorLimits = Readonly<Required<ExecutorOptions>>;

/** Number of places of one kind, length of their queue, and the share of one owner in both. */
export type PlaceLimits = Pick<ExecutorLimits, 'maxConcurrency' | 'maxQueue' | 'maxPerOwner' | 'maxQueuedPerOwner'>;

/** Minimum number of control places, so that a client can request all lists at once. */
export const CONTROL_LIMITS: PlaceLimits = {
  maxConcurrency: 32,
  maxQueue: 256,
  maxPerOwner: 16,
  maxQueuedPerOwner: 128,
};

/** Validates the options; the other defaults depend on `maxConcurrency` and `maxQueue`. */
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

/** The share of a limit that anonymous owners together leave free for identified owners, once there are any. */
const KEPT_FREE = 1 / 4;

/** The most that all anonymous owners may hold of this limit. */
export function anonymousLimit(limit: number): number {
  return limit - Math.floor(limit * KEPT_FREE);
}

export function wholeNumber(value: number, option: string, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidOptionsError(option, `it must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}.`);
}

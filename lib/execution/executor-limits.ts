import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { ExecutorOptions } from './executor-options.interface.js';

export type ExecutorLimits = Readonly<Required<ExecutorOptions>>;

/** How many places of one kind there are, how many jobs wait for them, and how much of both one owner may hold. */
export type PlaceLimits = Pick<ExecutorLimits, 'maxConcurrency' | 'maxQueue' | 'maxPerOwner' | 'maxQueuedPerOwner'>;

/** However little work may run, a client that asks for all lists at once gets them. */
export const CONTROL_LIMITS: PlaceLimits = {
  maxConcurrency: 32,
  maxQueue: 256,
  maxPerOwner: 16,
  maxQueuedPerOwner: 128,
};

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

/** Part of what has a limit that nameless owners leave free for others, together, once there are others. */
const KEPT_FREE = 1 / 4;

/** The most that nameless owners hold together of something with this limit. */
export function namelessLimit(limit: number): number {
  return limit - Math.floor(limit * KEPT_FREE);
}

export function wholeNumber(value: number, option: string, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidOptionsError(option, `it must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}.`);
}

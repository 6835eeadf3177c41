import type { ExecutorStats } from '../execution/executor-stats.interface.js';
import type { Fault } from '../model/fault.js';
import type { Operation } from '../model/operation.js';
import type { SubscriptionStats } from '../subscriptions/subscription.hub.js';

/**
 * How long requests took.
 *
 * @publicApi
 */
export interface McpDurations {
  readonly count: number;
  /** Milliseconds of all together. */
  readonly sumMs: number;
  /** Milliseconds of the longest. */
  readonly maxMs: number;
  /** Requests that took at most so many milliseconds, as in `{ 5: 2, 10: 3, ... }`; those of one bucket count in all longer ones. */
  readonly buckets: Readonly<Record<number, number>>;
}

/**
 * How the requests of one kind have ended.
 *
 * @publicApi
 */
export interface McpRequestCounts {
  /** Answered with a result that is no error; of `listen`, ended in good order. */
  readonly completed: number;
  /** Answered with a result that says `isError`. */
  readonly toolErrors: number;
  /** Answered with a question to the client. */
  readonly inputRequired: number;
  /** The client left, or cancelled the request. */
  readonly cancelled: number;
  /** Answered with an error, by kind; a kind without any is left out. */
  readonly faults: Readonly<Partial<Record<Fault['kind'], number>>>;
  /** From the arrival of the whole request to its end, waiting included. */
  readonly durations: McpDurations;
}

/**
 * What a server has done since it started, and what it is doing now.
 *
 * @publicApi
 */
export interface McpMetricsSnapshot {
  /** Requests by kind; a kind without any is left out. */
  readonly requests: Readonly<Partial<Record<Operation['kind'], McpRequestCounts>>>;
  /** Requests that were turned away before they were understood, by HTTP status. */
  readonly refused: Readonly<Record<number, number>>;
  readonly executor: ExecutorStats;
  readonly subscriptions: SubscriptionStats;
}

/**
 * Counts what a server does; each server has its own.
 *
 * @publicApi
 */
export abstract class McpMetrics {
  /** The counts of now; they only grow while the server runs. Cheap enough to ask for every second. */
  abstract snapshot(): McpMetricsSnapshot;
}

import type { ExecutorStats } from '../execution/executor-stats.interface.js';
import type { Fault } from '../model/fault.js';
import type { Operation } from '../model/operation.js';
import type { SubscriptionStats } from '../subscriptions/subscription.hub.js';

/**
 * Durations of requests.
 *
 * @publicApi
 */
export interface McpDurations {
  readonly count: number;
  /** Sum of all durations, in milliseconds. */
  readonly sumMs: number;
  /** Longest duration, in milliseconds. */
  readonly maxMs: number;
  /** Number of requests that took at most the given milliseconds, cumulative: `{ 5: 2, 10: 3, ... }`. */
  readonly buckets: Readonly<Record<number, number>>;
}

/**
 * How the requests of one kind ended.
 *
 * @publicApi
 */
export interface McpRequestCounts {
  /** Answered with a result that is not an error; for `listen`, ended normally. */
  readonly completed: number;
  /** Answered with a result that has `isError`. */
  readonly toolErrors: number;
  /** Answered with a question to the client. */
  readonly inputRequired: number;
  /** The client disconnected, or cancelled the request. */
  readonly cancelled: number;
  /** Answered with an error, by kind; kinds without errors are omitted. */
  readonly faults: Readonly<Partial<Record<Fault['kind'], number>>>;
  /** From the arrival of the whole request to its end, including the time in the queue. */
  readonly durations: McpDurations;
}

/**
 * The counts of a server since it started, and its current load.
 *
 * @publicApi
 */
export interface McpMetricsSnapshot {
  /** Requests by kind; kinds without requests are omitted. */
  readonly requests: Readonly<Partial<Record<Operation['kind'], McpRequestCounts>>>;
  /** Requests that were refused before they were decoded, by HTTP status. */
  readonly refused: Readonly<Record<number, number>>;
  readonly executor: ExecutorStats;
  readonly subscriptions: SubscriptionStats;
}

/**
 * Counts the requests of a server; each server has its own instance.
 *
 * @publicApi
 */
export abstract class McpMetrics {
  /** The current counts; they only increase while the server runs. Reading them is cheap enough for every second. */
  abstract snapshot(): McpMetricsSnapshot;
}

/**
 * Limits for running and waiting jobs.
 *
 * @publicApi
 */
export interface ExecutorOptions {
  /**
   * Maximum number of concurrent jobs.
   *
   * @default 32
   */
  maxConcurrency?: number;
  /**
   * Maximum number of waiting jobs; 0 disables the queue.
   *
   * @default 256
   */
  maxQueue?: number;
  /**
   * Maximum number of running jobs of one owner, including abandoned ones.
   *
   * @default half of maxConcurrency, rounded up
   */
  maxPerOwner?: number;
  /**
   * Maximum number of waiting jobs of one owner; 0 disables the queue.
   *
   * @default half of maxQueue, rounded up
   */
  maxQueuedPerOwner?: number;
  /**
   * Time that a cancelled job keeps its place, in milliseconds.
   *
   * @default 5_000
   */
  abandonAfterMs?: number;
  /**
   * Maximum number of abandoned jobs, which lost their place and still run; at most half of them of one owner. Further
   * jobs keep their places.
   *
   * @default maxConcurrency
   */
  maxAbandoned?: number;
}

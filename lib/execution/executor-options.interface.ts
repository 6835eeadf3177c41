/**
 * How much may run and wait at the same time.
 *
 * @publicApi
 */
export interface ExecutorOptions {
  /**
   * Jobs that run at the same time.
   *
   * @default 32
   */
  maxConcurrency?: number;
  /**
   * Jobs that wait for a place; with 0 none does.
   *
   * @default 256
   */
  maxQueue?: number;
  /**
   * Running jobs of one owner, abandoned ones included.
   *
   * @default half of maxConcurrency, rounded up
   */
  maxPerOwner?: number;
  /**
   * Waiting jobs of one owner; with 0 none waits.
   *
   * @default half of maxQueue, rounded up
   */
  maxQueuedPerOwner?: number;
  /**
   * How long a job that was told to end may keep its place, in milliseconds.
   *
   * @default 5_000
   */
  abandonAfterMs?: number;
  /**
   * Jobs that lost their place and still run, half of them of one owner. Those beyond keep their places.
   *
   * @default maxConcurrency
   */
  maxAbandoned?: number;
}

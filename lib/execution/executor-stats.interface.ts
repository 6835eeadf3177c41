/**
 * A snapshot of an executor.
 *
 * @publicApi
 */
export interface ExecutorStats {
  /** Occupied places. */
  readonly running: number;
  /** Waiting jobs. */
  readonly queued: number;
  /** Lists that are being built and subscriptions that are being opened, which have separate places. */
  readonly controlRunning: number;
  /** Waiting lists and subscriptions. */
  readonly controlQueued: number;
  /** Abandoned jobs, which lost their place and still run. */
  readonly abandoned: number;
  /** Owners with a waiting, running or abandoned job. */
  readonly owners: number;
  /** Occupied slots by name; names without any are omitted. */
  readonly slots: Readonly<Record<string, number>>;
  readonly maxConcurrency: number;
  readonly maxQueue: number;
}

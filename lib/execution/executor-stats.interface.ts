/**
 * What an executor is doing.
 *
 * @publicApi
 */
export interface ExecutorStats {
  /** Places that are taken. */
  readonly running: number;
  /** Jobs that wait for a place. */
  readonly queued: number;
  /** Lists that are being made and subscriptions that are being opened: they have places of their own. */
  readonly controlRunning: number;
  /** Those that wait for one. */
  readonly controlQueued: number;
  /** Jobs that lost their place and still run. */
  readonly abandoned: number;
  /** Owners with something waiting, running or abandoned. */
  readonly owners: number;
  /** Held slots by name; a name with none is left out. */
  readonly slots: Readonly<Record<string, number>>;
  readonly maxConcurrency: number;
  readonly maxQueue: number;
}

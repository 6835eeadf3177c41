/** How changes wait for clients that read slowly. */
export interface SubscriptionHubOptions {
  /** Name of the server whose changes are passed on. */
  readonly server: string;
  /**
   * How many changes wait for one client; equal changes wait once.
   *
   * @default 100
   */
  readonly maxPendingChanges: number;
  /**
   * Which change is lost when one more comes.
   *
   * @default 'drop-oldest'
   */
  readonly overflow: 'drop-oldest' | 'drop-newest';
}

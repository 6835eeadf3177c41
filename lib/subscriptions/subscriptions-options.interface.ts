/** How changes are queued for slow clients. */
export interface SubscriptionHubOptions {
  /** Name of the server whose changes are delivered. */
  readonly server: string;
  /**
   * Maximum number of queued changes for one client; equal changes are queued once.
   *
   * @default 100
   */
  readonly maxPendingChanges: number;
  /**
   * Which change is dropped when the queue is full.
   *
   * @default 'drop-oldest'
   */
  readonly overflow: 'drop-oldest' | 'drop-newest';
}

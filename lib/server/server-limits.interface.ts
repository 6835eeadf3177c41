/** Limits of one server. */
export interface ServerLimits {
  /** Time limit of a request in milliseconds, including its time in the queue; `Infinity` for no limit. */
  readonly requestTimeoutMs: number;
  /** Maximum number of open subscriptions. */
  readonly maxSubscriptions: number;
  /** Maximum number of open subscriptions of one caller. */
  readonly maxSubscriptionsPerOwner: number;
  /** Maximum size of all bodies that are being received, in bytes. */
  readonly maxPendingBodyBytes: number;
  /** Maximum size of one answer, and of one log message to a client, in bytes. */
  readonly maxResultBytes: number;
}

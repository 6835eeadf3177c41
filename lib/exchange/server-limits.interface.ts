/** What one server lets its clients hold. */
export interface ServerLimits {
  /** Milliseconds for a whole request, waiting included; `Infinity` for no limit. */
  readonly requestTimeoutMs: number;
  /** Subscriptions that may be open at once. */
  readonly maxSubscriptions: number;
  /** Of those, the most that one caller may hold. */
  readonly maxSubscriptionsPerOwner: number;
  /** Bytes of bodies that may be held while the rest of them arrives. */
  readonly maxPendingBodyBytes: number;
  /** Bytes of one answer, and of one log message to a client. */
  readonly maxResultBytes: number;
}

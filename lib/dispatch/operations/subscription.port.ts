import type { Change, ChangeFilter } from '../../model/change.js';

/** Passes changes on to one client. */
export interface ChangeListener {
  /** Delivers one change; the next one follows after `written` was called. */
  deliver(change: Change, written: () => void): void;
  /** Ends the delivery, since the server closes or the source of changes failed. Called at most once. */
  end(reason: 'complete' | 'failed'): void;
}

/** One open subscription. */
export interface ChangeSubscription {
  /** Limits the subscription to some of its URIs; queued changes of other URIs are dropped. */
  narrow(uris: readonly string[]): void;
  /** Called when the client has left; may be called repeatedly. */
  close(): void;
}

/** Opens subscriptions to changes. */
export abstract class SubscriptionPort {
  /** Delivers no change before it returns. */
  abstract open(filter: ChangeFilter, listener: ChangeListener): ChangeSubscription;
}

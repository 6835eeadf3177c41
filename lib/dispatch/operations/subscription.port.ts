import type { Change, ChangeFilter } from '../../model/change.js';

/** Whoever passes changes on to one client. */
export interface ChangeListener {
  /** Takes one change; the next one comes after `written` was called. */
  deliver(change: Change, written: () => void): void;
  /** Nothing comes after this: the server closes, or the source of changes failed. Called at most once. */
  end(reason: 'complete' | 'failed'): void;
}

/** One open subscription. */
export interface ChangeSubscription {
  /** Leaves it with some of its URIs; what waits of the others is not delivered any more. */
  narrow(uris: readonly string[]): void;
  /** The client has gone; harmless to repeat. */
  close(): void;
}

/** Where subscriptions to changes are opened. */
export abstract class SubscriptionPort {
  /** Nothing is delivered before this returned. */
  abstract open(filter: ChangeFilter, listener: ChangeListener): ChangeSubscription;
}

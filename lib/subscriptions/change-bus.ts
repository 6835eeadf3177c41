import type { Change } from '../model/change.js';

/**
 * A change, as it is sent to every instance of the app; plain JSON.
 *
 * @publicApi
 */
export interface BusMessage {
  /** Name of the server that changed: servers of one app may share a bus. */
  readonly server: string;
  readonly change: Change;
}

/**
 * Receives the messages of a bus. Neither method throws.
 *
 * @publicApi
 */
export interface ChangeBusListener {
  /** Takes one message, as it was published. */
  changed(message: BusMessage): void;
  /** Ends the delivery: the bus has lost its connection, and messages with it. Clients are asked to subscribe again. */
  failed(error: unknown): void;
}

/**
 * Carries changes between the instances of an app. Extend it to reach other processes, for example through Redis:
 * every instance receives every message that any instance publishes, its own included, once and in order.
 *
 * @publicApi
 */
export abstract class ChangeBus {
  /** Resolves when the bus has accepted the message; throws or rejects if it could not. */
  abstract publish(message: BusMessage): void | Promise<void>;
  /** Returns a function that ends the subscription and may be called repeatedly; reports later failures to `failed`. */
  abstract subscribe(listener: ChangeBusListener): () => void;
}

/**
 * The default bus, for an app that runs as one instance.
 *
 * @publicApi
 */
export class InMemoryChangeBus extends ChangeBus {
  private readonly subscriptions = new Set<{ readonly listener: ChangeBusListener }>();

  publish(message: BusMessage): void {
    const present = [...this.subscriptions];
    for (const subscription of present) {
      if (this.subscriptions.has(subscription)) subscription.listener.changed(message);
    }
  }

  subscribe(listener: ChangeBusListener): () => void {
    const subscription = { listener };
    this.subscriptions.add(subscription);
    return () => {
      this.subscriptions.delete(subscription);
    };
  }
}

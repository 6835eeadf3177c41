import type { Change } from '../model/change.js';

/**
 * A change on its way to every instance of the app; plain JSON.
 *
 * @publicApi
 */
export interface BusMessage {
  /** Name of the server that changed: servers of one app may share a bus. */
  readonly server: string;
  readonly change: Change;
}

/**
 * Who hears what a bus carries. Neither method throws.
 *
 * @publicApi
 */
export interface ChangeBusListener {
  /** Takes one message, as it was published. */
  changed(message: BusMessage): void;
  /** Nothing comes after this: the bus has lost its connection, and messages with it. Clients are told to listen anew. */
  failed(error: unknown): void;
}

/**
 * Carries changes between the instances of an app. Extend it to reach other processes, by Redis for instance:
 * every instance hears every message that any of them publishes, its own included, once and in order.
 *
 * @publicApi
 */
export abstract class ChangeBus {
  /** Ends when the bus has taken the message; throws or rejects when it could not. */
  abstract publish(message: BusMessage): void | Promise<void>;
  /** Returns a function that ends the subscription and is harmless to repeat; what goes wrong later is told by `failed`. */
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

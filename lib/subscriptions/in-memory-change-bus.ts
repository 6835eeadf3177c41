import { ChangeBus, type BusMessage, type ChangeBusListener } from './change-bus.js';

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

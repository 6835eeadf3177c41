import { ChangeBus, type BusMessage, type ChangeBusListener } from '../../../lib/subscriptions/change-bus.js';

/** A bus that a test drives, with everything a bus of other processes may do. */
export class ManualBus extends ChangeBus {
  readonly listeners: ChangeBusListener[] = [];
  unsubscribed = 0;

  publish(message: unknown): void {
    for (const listener of this.listeners) listener.changed(message as BusMessage);
  }

  subscribe(listener: ChangeBusListener): () => void {
    this.listeners.push(listener);
    return () => {
      this.unsubscribed += 1;
    };
  }

  fail(error: unknown): void {
    for (const listener of this.listeners) listener.failed(error);
  }
}

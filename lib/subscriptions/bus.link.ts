import type { Logger } from '@nestjs/common';

import { logFailure } from '../errors/failure.log.js';
import type { ChangeBus, ChangeBusListener } from './change-bus.js';

/** One subscription to a bus: nothing is delivered after its end, even by a faulty bus. */
export class BusLink {
  private state: 'new' | 'open' | 'ended' = 'new';
  private unsubscribe: (() => void) | undefined;
  private early: { readonly cause: unknown } | undefined;

  constructor(
    private readonly bus: ChangeBus,
    private readonly listener: ChangeBusListener,
    private readonly logger: Logger,
  ) {}

  /** Throws when the bus cannot be subscribed to, or fails during that. */
  open(): void {
    const unsubscribe: unknown = this.bus.subscribe({
      changed: (message) => {
        if (this.state === 'open') this.listener.changed(message);
      },
      failed: (cause) => {
        if (this.state === 'new') this.early ??= { cause };
        if (this.state !== 'open') return;
        this.close();
        this.listener.failed(cause);
      },
    });
    if (unsubscribe instanceof Promise) throw this.refuse(unsubscribe);
    this.unsubscribe = unsubscribe as () => void;
    this.state = 'open';
    if (this.early === undefined) return;
    this.close();
    throw new Error('The change bus failed while it was being subscribed to.', this.early);
  }

  close(): void {
    this.state = 'ended';
    try {
      const ended: unknown = this.unsubscribe?.();
      if (ended instanceof Promise) ended.catch(this.reportError);
    } catch (error) {
      this.reportError(error);
    }
  }

  private refuse(subscribed: Promise<unknown>): Error {
    this.state = 'ended';
    subscribed.catch(this.reportError);
    return new TypeError('subscribe() of the change bus must return a function at once, not a promise of one.');
  }

  private readonly reportError = (error: unknown): void =>
    logFailure(this.logger, 'The change bus could not be unsubscribed from', error);
}

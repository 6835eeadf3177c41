import type { Logger } from '@nestjs/common';

import type { ChangeBus, ChangeBusListener } from './change-bus.js';
import { stackOf } from './thrown-stack.js';

/** One subscription to a bus: nothing is heard after its end, whatever the bus does. */
export class BusLink {
  private state: 'new' | 'open' | 'ended' = 'new';
  private unsubscribe: (() => void) | undefined;
  private early: { readonly cause: unknown } | undefined;

  constructor(
    private readonly bus: ChangeBus,
    private readonly listener: ChangeBusListener,
    private readonly logger: Logger,
  ) {}

  /** Throws when the bus cannot be subscribed to, or fails meanwhile. */
  open(): void {
    this.unsubscribe = this.bus.subscribe({
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
    this.state = 'open';
    if (this.early === undefined) return;
    this.close();
    throw new Error('The change bus failed while it was being subscribed to.', this.early);
  }

  close(): void {
    this.state = 'ended';
    try {
      this.unsubscribe?.();
    } catch (error) {
      this.logger.error('The change bus could not be unsubscribed from.', stackOf(error));
    }
  }
}

import { ProgressItem, type CallEvent } from '../../model/event.js';

/** Events that may wait while an earlier one is being written. */
const MAX_WAITING = 100;

/** One event on its way. */
class Delivery {
  readonly promise: Promise<void>;
  private resolve!: () => void;
  private reject!: (cause: unknown) => void;
  private pending = true;

  constructor(
    readonly event: CallEvent,
    private readonly whenWritten: () => void,
  ) {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Called when its bytes were handed over, or when nobody takes them. */
  readonly written = (): void => {
    if (!this.pending) return;
    this.pending = false;
    this.resolve();
    this.whenWritten();
  };

  giveUp(): void {
    this.pending = false;
    this.resolve();
  }

  fail(cause: unknown): void {
    // Somebody who does not await it has not asked to bring the process down either.
    this.promise.catch(() => undefined);
    this.reject(cause);
    this.written();
  }
}

/**
 * Sends the events of one call at the pace of its client. Whoever awaits is slowed down; what nobody awaits waits here,
 * and when there is no room left, a newer progress replaces an older one and the oldest log message is dropped.
 */
export class EventOutbox {
  private unwritten = 0;
  private readonly waiting: Delivery[] = [];
  private readonly whenEmpty: (() => void)[] = [];

  constructor(private readonly send: (event: CallEvent, written: () => void) => void) {}

  /** Resolves when the event was written, or when it was given up for a newer one. */
  push(event: CallEvent): Promise<void> {
    const delivery = new Delivery(event, this.settle);
    if (this.unwritten > 0) this.hold(delivery);
    else this.write(delivery);
    return delivery.promise;
  }

  /** Resolves when nothing is under way any more; `undefined` when nothing is. */
  drained(): Promise<void> | undefined {
    return this.unwritten === 0 ? undefined : new Promise((resolve) => this.whenEmpty.push(resolve));
  }

  private hold(delivery: Delivery): void {
    if (this.waiting.length >= MAX_WAITING) this.makeRoom(delivery.event instanceof ProgressItem);
    this.waiting.push(delivery);
  }

  private makeRoom(forProgress: boolean): void {
    const isAlike = ({ event }: Delivery): boolean => event instanceof ProgressItem === forProgress;
    const place = forProgress ? this.waiting.findLastIndex(isAlike) : this.waiting.findIndex(isAlike);
    const [given] = this.waiting.splice(Math.max(place, 0), 1);
    given?.giveUp();
  }

  private write(delivery: Delivery): void {
    this.unwritten += 1;
    try {
      this.send(delivery.event, delivery.written);
    } catch (error) {
      delivery.fail(error);
    }
  }

  private readonly settle = (): void => {
    this.unwritten -= 1;
    if (this.unwritten > 0) return;
    if (this.waiting.length === 0) {
      for (const resolve of this.whenEmpty.splice(0)) resolve();
      return;
    }
    // Counted as one more until the whole batch is out, since an event may be given up at once.
    this.unwritten += 1;
    for (const delivery of this.waiting.splice(0)) this.write(delivery);
    this.settle();
  };
}

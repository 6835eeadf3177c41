import { ProgressItem, type CallEvent } from '../../model/event.js';

/** Maximum number of events that wait while an earlier one is being written. */
const MAX_WAITING = 100;

/** Callbacks of the code that sent an event. */
interface Sender {
  /** The connection has taken the event, or a newer one replaced it. */
  readonly resolve?: () => void;
  readonly reject: (cause: unknown) => void;
}

/** One event that is not written yet. */
class Delivery {
  private pending = true;

  constructor(
    readonly event: CallEvent,
    private readonly sender: Sender,
    private readonly whenWritten: () => void,
  ) {}

  /** Called when the connection can take more, or when the client has left. */
  readonly written = (): void => {
    if (!this.pending) return;
    this.giveUp();
    this.whenWritten();
  };

  giveUp(): void {
    this.pending = false;
    this.sender.resolve?.();
  }

  fail(cause: unknown): void {
    this.sender.reject(cause);
    this.written();
  }
}

/**
 * Sends the events of one call at the pace of its client. A handler that awaits them is slowed down. Events that are not
 * awaited are queued; in a full queue, a newer progress replaces an older one and the oldest log message is dropped.
 */
export class EventOutbox {
  private unwritten = 0;
  private readonly waiting: Delivery[] = [];
  private readonly whenEmpty: (() => void)[] = [];

  constructor(private readonly send: (event: CallEvent, written: () => void) => void) {}

  /** Resolves when the connection has taken the event, or a newer one replaced it. */
  push(event: CallEvent): Promise<void> {
    let sender!: Required<Sender>;
    const pending = new Promise<void>((resolve, reject) => {
      sender = { resolve, reject };
    });
    const fail = (cause: unknown): void => {
      // The promise may not be awaited, and an unhandled rejection would end the process.
      pending.catch(() => undefined);
      sender.reject(cause);
    };
    this.post(event, { resolve: sender.resolve, reject: fail });
    return pending;
  }

  /** `push` without a promise: the promises of a fast sender would fill the memory. */
  post(event: CallEvent, sender: Sender): void {
    const delivery = new Delivery(event, sender, this.settle);
    if (this.unwritten > 0) this.hold(delivery);
    else this.write(delivery);
  }

  /** Resolves when all events are written; `undefined` when they already are. */
  drained(): Promise<void> | undefined {
    return this.unwritten === 0 ? undefined : new Promise((resolve) => this.whenEmpty.push(resolve));
  }

  private hold(delivery: Delivery): void {
    if (this.waiting.length >= MAX_WAITING) this.dropOne(delivery.event instanceof ProgressItem);
    this.waiting.push(delivery);
  }

  private dropOne(forProgress: boolean): void {
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
    // Counts one more until the whole batch is sent, since `written` may be called synchronously.
    this.unwritten += 1;
    for (const delivery of this.waiting.splice(0)) this.write(delivery);
    this.settle();
  };
}

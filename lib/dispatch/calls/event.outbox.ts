import { ProgressItem, type CallEvent } from '../../model/event.js';

/** Events that may wait while an earlier one is being written. */
const MAX_WAITING = 100;

interface Waiting {
  readonly event: CallEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends the events of one call at the pace of its client. Whoever awaits is slowed down; what nobody awaits waits here,
 * and when there is no room left, a newer progress replaces an older one and the oldest log message is dropped.
 */
export class EventOutbox {
  private unwritten = 0;
  private readonly waiting: Waiting[] = [];
  private readonly whenEmpty: (() => void)[] = [];

  constructor(private readonly send: (event: CallEvent, written: () => void) => void) {}

  /** Resolves when the event was written, or when it was given up for a newer one. */
  push(event: CallEvent): Promise<void> {
    const sent = new Promise<void>((resolve, reject) => {
      const entry = { event, resolve, reject };
      if (this.unwritten > 0) this.hold(entry);
      else this.write(entry);
    });
    // Somebody who does not await it has not asked to bring the process down either.
    sent.catch(() => undefined);
    return sent;
  }

  /** Resolves when nothing is under way any more; `undefined` when nothing is. */
  drained(): Promise<void> | undefined {
    return this.unwritten === 0 ? undefined : new Promise((resolve) => this.whenEmpty.push(resolve));
  }

  private hold(entry: Waiting): void {
    if (this.waiting.length >= MAX_WAITING) this.makeRoom(entry.event);
    this.waiting.push(entry);
  }

  private makeRoom(event: CallEvent): void {
    const isReplaced = (other: Waiting): boolean =>
      other.event instanceof ProgressItem === event instanceof ProgressItem;
    const own =
      event instanceof ProgressItem ? this.waiting.findLastIndex(isReplaced) : this.waiting.findIndex(isReplaced);
    const [given] = this.waiting.splice(Math.max(own, 0), 1);
    given?.resolve();
  }

  private write({ event, resolve, reject }: Waiting): void {
    this.unwritten += 1;
    let pending = true;
    const written = (): void => {
      if (!pending) return;
      pending = false;
      resolve();
      this.settle();
    };
    try {
      this.send(event, written);
    } catch (error) {
      reject(error);
      written();
    }
  }

  private settle(): void {
    this.unwritten -= 1;
    if (this.unwritten > 0) return;
    if (this.waiting.length === 0) {
      for (const resolve of this.whenEmpty.splice(0)) resolve();
      return;
    }
    // Counted as one more until the whole batch is out, since an event may be given up at once.
    this.unwritten += 1;
    for (const entry of this.waiting.splice(0)) this.write(entry);
    this.settle();
  }
}

import type { CancelReason } from '../../errors/call-cancelled.error.js';
import type { OutgoingEvent } from '../../model/event.js';

/** What runs for a client, as far as whoever waits for it can end it. */
export interface Cancellable {
  /** The answer is written; whatever still runs has nobody to tell. */
  finish(): void;
  cancel(reason: CancelReason): void;
}

/** What connects a running operation to whoever waits for it. */
export interface CallLink {
  /** Told before anything runs, so that it can be cancelled; what comes later takes the place of what came before. */
  started(run: Cancellable): void;
  /** The operation is a stream that stays open from now on: it takes no place any more, and has no deadline. */
  opened(): void;
  /**
   * Takes an event towards the client; `written` is called when its bytes were handed over, or when nobody takes them.
   *
   * @throws TypeError when JSON cannot hold it.
   */
  send(event: OutgoingEvent, written: () => void): void;
}

/** For code that may look at a call though nobody waits for it: what it tells goes nowhere. */
export const SILENT_LINK: CallLink = Object.freeze<CallLink>({
  started: () => undefined,
  opened: () => undefined,
  send: (_event, written) => written(),
});

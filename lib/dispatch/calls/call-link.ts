import type { CancelReason } from '../../errors/call-cancelled.error.js';
import type { OutgoingEvent } from '../../model/event.js';

/** A running operation that its transport can end. */
export interface Cancellable {
  /** The answer is written; events that are emitted later are dropped. */
  finish(): void;
  cancel(reason: CancelReason): void;
}

/** Connects a running operation to the transport that waits for its answer. */
export interface CallLink {
  /** Called before anything runs, so that the run can be cancelled; a later run replaces an earlier one. */
  started(run: Cancellable): void;
  /** The operation is an open stream from now on: it does not count as a running call, and has no deadline. */
  opened(): void;
  /**
   * Sends an event to the client; `written` is called when its bytes were handed over, or when the client has left.
   *
   * @throws TypeError when the event cannot be encoded as JSON.
   */
  send(event: OutgoingEvent, written: () => void): void;
}

/** For code that inspects a call without a client: its events are dropped. */
export const SILENT_LINK: CallLink = Object.freeze<CallLink>({
  started: () => undefined,
  opened: () => undefined,
  send: (_event, written) => written(),
});

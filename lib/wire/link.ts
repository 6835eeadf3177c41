import type { Observable } from 'rxjs';

/** One message of a server, as its client receives it. */
export interface LinkMessage {
  readonly json: string;
  /** Called when the client has processed the message, so that the next one may follow. */
  readonly written?: () => void;
}

/** Connection of a client to one server. */
export interface Link {
  /** Sends the request on subscription, and emits its messages, the response last. Unsubscribing cancels the request. */
  send(json: string): Observable<LinkMessage>;
}

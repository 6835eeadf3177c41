import type { Observable } from 'rxjs';

/** One message of a server, as its client gets it. */
export interface LinkMessage {
  readonly json: string;
  /** Told when the client has taken it, so that the next one may come. */
  readonly written?: () => void;
}

/** A client's way to one server. */
export interface Link {
  /** Sends a request when it is subscribed; its messages follow, the response last. Unsubscribing cancels it. */
  send(json: string): Observable<LinkMessage>;
}

import type { Caller } from '../model/peer.js';

/** Request headers with lower-case names, as Node's parser returns them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of an HTTP request. */
export interface ExchangeHead {
  readonly method: string;
  readonly headers: Headers;
  /** Alternating names and values as they arrived, which distinguish repeated headers from joined ones. */
  readonly rawHeaders: readonly string[];
  /** The media type as the client sent it, since some hosts change the header. */
  readonly contentType: string | undefined;
}

/** One incoming message with all data that its transport has about it. */
export interface Exchange {
  /** Absent for transports without headers: stdio and in-process calls. */
  readonly head?: ExchangeHead;
  /** Whether method, `Origin` and `Host` are already checked. */
  readonly screened?: boolean;
  readonly caller: Caller;
  /** Reads the body, within its limits. */
  readonly body: () => Promise<BodyReading> | BodyReading;
}

export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array | string }
  | { readonly ok: false; readonly refusal: Refusal };

/** An answer that refuses a request before its message is processed. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text; absent for an empty body. */
  readonly body?: string;
  /** Whether the connection must be closed, since it contains unread bytes. */
  readonly closeConnection?: boolean;
  /** The client expects no answer: HTTP must still send one, stdio sends none. */
  readonly unawaited?: boolean;
}

/** Media types of an answer that the client accepts. */
export interface ReplyForms {
  readonly json: boolean;
  readonly sse: boolean;
}

/** One encoded message for the client. */
export interface OutgoingMessage {
  /** `nothing` ends an exchange without an answer. */
  readonly kind: 'notification' | 'response' | 'nothing';
  readonly json: string;
  /** HTTP status of a response that is not streamed. */
  readonly status: number;
  /** HTTP headers of a response that is not streamed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the bytes were handed to the socket, or when the client has left. */
  readonly written?: () => void;
}

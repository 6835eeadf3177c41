import type { Caller } from '../model/peer.js';

/** Request headers as Node's parser gives them: lower-case names. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of an HTTP request. */
export interface ExchangeHead {
  readonly method: string;
  readonly headers: Headers;
  /** Names and values in turn, as they arrived; tells repeated headers apart from joined ones. */
  readonly rawHeaders: readonly string[];
  /** The media type as the client sent it, wherever a host has put it. */
  readonly contentType: string | undefined;
}

/** One incoming message with everything its transport knows about it. */
export interface Exchange {
  /** Absent where there are no headers: stdio and in-process calls. */
  readonly head?: ExchangeHead;
  /** Whether method, Origin and Host were checked already. */
  readonly screened?: boolean;
  readonly caller: Caller;
  /** Reads the body, within its limits. */
  readonly body: () => Promise<BodyReading> | BodyReading;
}

export type BodyReading =
  { readonly ok: true; readonly bytes: Uint8Array | string } | { readonly ok: false; readonly refusal: Refusal };

/** A request that is answered without its message being looked at any further. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text; absent for an empty body. */
  readonly body?: string;
  /** Unread bytes remain, so the connection cannot be used again. */
  readonly closeConnection?: boolean;
  /** Nobody waits for an answer: HTTP has to give one to every request, a pipe stays silent. */
  readonly unawaited?: boolean;
}

/** Which forms of answer the client takes. */
export interface ReplyForms {
  readonly json: boolean;
  readonly sse: boolean;
}

/** One message towards the client, ready to be written. */
export interface OutgoingMessage {
  /** `nothing` ends an exchange that is answered by silence. */
  readonly kind: 'notification' | 'response' | 'nothing';
  readonly json: string;
  /** HTTP status of a response that is not streamed. */
  readonly status: number;
  /** HTTP headers of a response that is not streamed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the bytes were handed to the socket, or when nobody takes them any more. */
  readonly written?: () => void;
}

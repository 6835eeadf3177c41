import type { Change, ChangeFilter } from '../model/change.js';
import type { LogLevel } from '../model/event.js';
import type { Fields } from '../model/fields.js';
import type { Implementation } from '../model/peer.js';

/** What a client says about itself in every request. */
export interface ClientIdentity {
  readonly info?: Implementation;
  readonly capabilities: Fields;
}

/** One request of a client, before it is encoded. */
export interface ClientRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Fields;
  readonly client: ClientIdentity;
  /** Whether the client wants progress. */
  readonly progress: boolean;
  /** Lowest level of log messages that the client wants. */
  readonly logLevel?: LogLevel;
}

/** A message of a server, independent of the revision. */
export type ServerMessage =
  | { readonly kind: 'result'; readonly result: Fields }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'progress'; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly data: unknown; readonly logger?: string }
  | { readonly kind: 'acknowledged'; readonly filter: ChangeFilter }
  | { readonly kind: 'change'; readonly change: Change }
  /** A notification that this library does not know. */
  | { readonly kind: 'other' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** The client's half of one revision: encodes requests, and decodes messages of the server. */
export abstract class ClientCodec {
  abstract readonly revision: string;

  abstract encode(request: ClientRequest): string;

  /** Method and parameters of a subscription. */
  abstract listen(filter: ChangeFilter): Pick<ClientRequest, 'method' | 'params'>;

  /** The server's identity, if the answer contains it. */
  abstract serverInfo(result: Fields): Implementation | undefined;

  /** Never throws, for any message of the server. */
  abstract decode(json: string): ServerMessage;
}

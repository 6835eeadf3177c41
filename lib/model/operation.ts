import type { ChangeFilter } from './change.js';
import type { ComponentKind } from './component.js';
import type { Caller, ClientPeer } from './peer.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** The prompt or resource template whose argument is completed. */
export type CompletionTarget =
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'template'; readonly uri: string };

/** A request that a client can make, in a form that is the same for all protocol revisions. */
export type Operation =
  | { readonly kind: 'discover' }
  | { readonly kind: 'list'; readonly of: ComponentKind; readonly cursor?: string }
  | { readonly kind: 'call-tool'; readonly name: string; readonly arguments: Arguments }
  | { readonly kind: 'read-resource'; readonly uri: string }
  | { readonly kind: 'get-prompt'; readonly name: string; readonly arguments: Arguments }
  | {
      readonly kind: 'complete';
      readonly target: CompletionTarget;
      readonly argument: { readonly name: string; readonly value: string };
      readonly context: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'listen'; readonly filter: ChangeFilter };

/** Maximum number of questions that a call asks in one round; it bounds the answers that have to be processed. */
export const MAX_ANSWERS = 1_000;

/** The answers to the server's questions, and the request state, as the client sent them. */
export interface Retry {
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly state?: string;
}

/** One decoded request. */
export interface OperationRequest<O extends Operation = Operation> {
  readonly operation: O;
  readonly id: string | number | bigint;
  readonly client: ClientPeer;
  readonly progressToken?: string | number | bigint;
  /** The request's `_meta`, as the client sent it. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Present on a repeated request. */
  readonly retry?: Retry;
  /** The message as it arrived, for requests that may be repeated with answers, or whose headers are compared with it. */
  readonly body?: Uint8Array | string;
  /** Headers of the request as they arrived, alternating names and values; absent without HTTP. */
  readonly rawHeaders?: readonly string[];
}

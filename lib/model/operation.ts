import type { ChangeFilter } from './change.js';
import type { ComponentKind } from './component.js';
import type { Caller, ClientPeer } from './peer.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** What a completion completes: an argument of a prompt or of a resource template. */
export type CompletionTarget =
  { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'template'; readonly uri: string };

/** What a client can ask, whatever the revision it speaks. */
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

/** A call asks no more at a time, so that nothing has to look through more answers than that. */
export const MAX_ANSWERS = 1_000;

/** Answers to what the server asked, and what it gave the client to keep; as the client sent them. */
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
  /** What a repeated request carries besides what it repeats. */
  readonly retry?: Retry;
  /** The message as it arrived, where it may be repeated with answers, or its headers compared with it. */
  readonly body?: Uint8Array | string;
  /** Headers of the request as they arrived, names and values in turn; absent off HTTP. */
  readonly rawHeaders?: readonly string[];
}

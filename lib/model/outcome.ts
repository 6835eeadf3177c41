import type { ListName } from './component.js';
import type { Fault } from './fault.js';

/** How long, and for whom, a client may keep a result. */
export interface CacheHint {
  /** Milliseconds. */
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** Which of the cacheable results a hint belongs to. */
export type CacheSubject = 'discover' | ListName | 'read';

export interface CompleteOutcome {
  readonly kind: 'complete';
  readonly result: Readonly<Record<string, unknown>>;
  /** All that the result of a tool says, where that is one text: the JSON of its structured content, if it has one. */
  readonly text?: string;
  /** Present on the results that carry a cache hint. */
  readonly cache?: CacheSubject;
  /** The result object never changes, so its encoding may be kept with it. */
  readonly immutable?: boolean;
}

/** The run ended because the client has to answer something first. */
export interface InputRequiredOutcome {
  readonly kind: 'input-required';
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

/** How an operation ended. */
export type Outcome =
  | CompleteOutcome
  | InputRequiredOutcome
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** A subscription that the server ended in good order. */
  | { readonly kind: 'unsubscribed' }
  /** Nobody waits for an answer any more. */
  | { readonly kind: 'cancelled' };

import type { ListName } from './component.js';
import type { Fault } from './fault.js';

/** How long a client may cache a result, and for whom. */
export interface CacheHint {
  /** Milliseconds. */
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** The cacheable results. */
export type CacheSubject = 'discover' | ListName | 'read';

export interface CompleteOutcome {
  readonly kind: 'complete';
  readonly result: Readonly<Record<string, unknown>>;
  /** The content of a tool's result if it is one text: the JSON of its structured content, if it has any. */
  readonly text?: string;
  /** Present on results that carry a cache hint. */
  readonly cache?: CacheSubject;
  /** The result object never changes, so its encoding may be cached. */
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
  /** The server ended a subscription normally. */
  | { readonly kind: 'unsubscribed' }
  /** The request was cancelled, so that no answer is sent. */
  | { readonly kind: 'cancelled' };

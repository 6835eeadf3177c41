/** Why a request failed, without any wire number; each dialect has its own codes. */
export type Fault =
  | { readonly kind: 'method-not-found'; readonly method: string }
  | { readonly kind: 'missing-envelope'; readonly message: string }
  | { readonly kind: 'header-mismatch'; readonly message: string; readonly header?: string; readonly body?: string }
  | { readonly kind: 'unsupported-version'; readonly requested: string }
  | { readonly kind: 'invalid-params'; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'unknown-component'; readonly message: string }
  | { readonly kind: 'resource-not-found'; readonly message: string; readonly uri: string }
  | { readonly kind: 'refused'; readonly message: string; readonly data?: unknown }
  /** A limit of the app; it may succeed later. */
  | { readonly kind: 'too-many-calls'; readonly message: string }
  /** Nobody knows who asks, so the client has to say it, or say it anew. */
  | { readonly kind: 'unauthenticated'; readonly message: string; readonly data?: unknown }
  /** Whoever asks may not; `scopes` are those that would be enough. */
  | {
      readonly kind: 'forbidden';
      readonly message: string;
      readonly scopes?: readonly string[];
      readonly data?: unknown;
    }
  /** The client did not declare that it can be asked so; `required` is all that it would have to declare. */
  | { readonly kind: 'missing-capability'; readonly required: Readonly<Record<string, unknown>> }
  | { readonly kind: 'protocol'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** No place is free for it; later there may be. */
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'shutting-down' }
  | { readonly kind: 'deadline'; readonly timeoutMs: number }
  /** The caller uses the id for another request that is still running. */
  | { readonly kind: 'duplicate-id' }
  /** The reference tells the log line; there is none when many fail of one cause. */
  | { readonly kind: 'internal'; readonly reference?: string };

/** Why a request failed, without an error code, since each protocol revision has its own codes. */
export type Fault =
  | { readonly kind: 'method-not-found'; readonly method: string }
  | { readonly kind: 'missing-envelope'; readonly message: string }
  | { readonly kind: 'header-mismatch'; readonly message: string; readonly header?: string; readonly body?: string }
  | { readonly kind: 'unsupported-version'; readonly requested: string }
  | { readonly kind: 'invalid-params'; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'unknown-component'; readonly message: string }
  | { readonly kind: 'resource-not-found'; readonly message: string; readonly uri: string }
  | { readonly kind: 'refused'; readonly message: string; readonly data?: unknown }
  /** A limit of the app was exceeded; the request may succeed later. */
  | { readonly kind: 'too-many-calls'; readonly message: string }
  /** The caller is not authenticated, so the client has to send credentials, or new ones. */
  | { readonly kind: 'unauthenticated'; readonly message: string; readonly data?: unknown }
  /** The caller is not allowed to do this; `scopes` would be sufficient. */
  | {
      readonly kind: 'forbidden';
      readonly message: string;
      readonly scopes?: readonly string[];
      readonly data?: unknown;
    }
  /** The client lacks a capability; `required` are the capabilities that it would have to declare. */
  | { readonly kind: 'missing-capability'; readonly required: Readonly<Record<string, unknown>> }
  | { readonly kind: 'protocol'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** The server is at its limit of running and queued requests; the request may succeed later. */
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'shutting-down' }
  | { readonly kind: 'deadline'; readonly timeoutMs: number }
  /** Another request of the caller with the same id is still running. */
  | { readonly kind: 'duplicate-id' }
  /** The reference identifies the log line; absent when many requests fail for one cause. */
  | { readonly kind: 'internal'; readonly reference?: string };

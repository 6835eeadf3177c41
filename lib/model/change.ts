/** A change of a server that clients can subscribe to. */
export type Change =
  | { readonly kind: 'tools-changed' }
  | { readonly kind: 'prompts-changed' }
  | { readonly kind: 'resources-changed' }
  | { readonly kind: 'resource-updated'; readonly uri: string };

/** The changes that a client subscribes to. */
export interface ChangeFilter {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  /** URIs of the subscribed resources, as the client spelled them. */
  readonly uris: readonly string[];
}

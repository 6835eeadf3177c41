/** What can change on a server while clients listen. */
export type Change =
  | { readonly kind: 'tools-changed' }
  | { readonly kind: 'prompts-changed' }
  | { readonly kind: 'resources-changed' }
  | { readonly kind: 'resource-updated'; readonly uri: string };

/** Which changes a client wants to hear of. */
export interface ChangeFilter {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  /** Resources whose updates are wanted, as the client spelled them. */
  readonly uris: readonly string[];
}

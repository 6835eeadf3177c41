/** Names of the properties that guards and middleware of the app fill. */
export interface TrustedProperties {
  /** What is known of the caller. */
  readonly auth: string;
  /** The client instance that sent the request. */
  readonly cancellationScope: string;
}

/** Only what code has set on this very object counts, nothing inherited. */
export function ownProperty(request: unknown, property: string): unknown {
  return typeof request === 'object' && request !== null && Object.hasOwn(request, property)
    ? (request as Record<string, unknown>)[property]
    : undefined;
}

/** Names of the properties that guards and middleware of the app fill. */
export interface TrustedProperties {
  /** What is known of the caller. */
  readonly auth: string;
  /** The client instance that sent the request. */
  readonly cancellationScope: string;
}

/** A caller, under the name by which guards of the app would have left it. */
export function authProperties(
  { auth: property }: TrustedProperties,
  auth: unknown,
): Readonly<Record<string, unknown>> {
  return auth === undefined ? {} : { [property]: auth };
}

/** Only what code has set on this very object counts, nothing inherited. */
export function ownProperty(request: unknown, property: string): unknown {
  return typeof request === 'object' && request !== null && Object.hasOwn(request, property)
    ? (request as Record<string, unknown>)[property]
    : undefined;
}

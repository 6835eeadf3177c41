/** What an app knows of its endpoint only after its options were made. */
export interface EndpointMetadata {
  readonly path: string;
  readonly guards: readonly unknown[];
  readonly interceptors: readonly unknown[];
  readonly filters: readonly unknown[];
}

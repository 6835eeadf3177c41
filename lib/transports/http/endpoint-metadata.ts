/** How Nest keeps the controller, as far as it decides about enhancers that Nest makes for it. */
export interface ControllerWrapper {
  readonly id: string;
  /** Whether all requests share one controller. */
  isDependencyTreeStatic(): boolean;
}

/** What an app knows of its endpoint only after its options were made. */
export interface EndpointMetadata {
  readonly path: string;
  readonly guards: readonly unknown[];
  readonly interceptors: readonly unknown[];
  readonly filters: readonly unknown[];
}

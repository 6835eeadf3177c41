/**
 * One component, for whoever changes it at run time. Calls that run already finish as they began.
 *
 * @publicApi
 */
export interface ComponentHandle<Options extends object = object> {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template' | 'completion';
  /** Name of a tool or prompt, URI of a resource, source of a template, argument of a completion. */
  readonly name: string;
  /** Whether clients can see and use it. */
  readonly enabled: boolean;
  /**
   * Changes some options and keeps the place in the list; `undefined` takes an option back.
   *
   * @throws what the registration would throw; nothing has changed then.
   */
  update(changes: { readonly [K in keyof Options]?: Options[K] | undefined }): Promise<void>;
  /** Hides it from clients; its name stays taken. */
  disable(): void;
  enable(): void;
  /** Takes it away for good, and with a prompt or template its completions. */
  remove(): void;
}

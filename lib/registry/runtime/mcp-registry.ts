import type { CompletionQuery } from '../../decorators/completion.decorator.js';
import type {
  CompletionOptions,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
} from '../../decorators/component-metadata.js';
import type { ComponentEnhancers } from '../../enhancers/component-enhancers.js';
import type { McpContext } from '../../decorators/mcp-context.js';
import type { SchemaSource, ToolArgs } from '../../schema/schema-source.js';

/**
 * Changes one component at run time. Running calls are not affected.
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
   * Changes some options and keeps the position in the list; `undefined` removes an option.
   *
   * @throws the same errors as the registration; the component is then unchanged.
   */
  update(changes: { readonly [K in keyof Options]?: Options[K] | undefined }): Promise<void>;
  /** Hides the component from clients; its name stays taken. */
  disable(): void;
  enable(): void;
  /** Removes the component, and the completions of a prompt or template. */
  remove(): void;
}

/**
 * A function as a handler; it receives the arguments and the context, and may return the same values as decorated methods.
 *
 * @publicApi
 */
export type HandlerFunction<Args> = (args: Args, context: McpContext) => unknown;

/**
 * A method of a provider or controller of the app as a handler, by class or injection token. Its own guards, interceptors,
 * pipes, filters and scope apply.
 *
 * @publicApi
 */
export type HandlerMethod<T extends object = object> =
  | readonly [provider: abstract new (...args: never[]) => T, method: object extends T ? string : keyof T & string]
  | readonly [token: string | symbol, method: string];

/**
 * Type of the arguments of a function for a schema; without a schema there are no arguments.
 *
 * @publicApi
 */
export type HandlerArgs<S> = S extends SchemaSource ? ToolArgs<S> : Readonly<Record<string, never>>;

type OwnName = { readonly name: string };
type OwnInput<S> = { readonly input?: S };

/**
 * Adds and changes components at run time. They are treated like decorated components: with the same checks as at
 * start-up, and with guards, interceptors, pipes and filters for every call. Each server has its own registry;
 * `@InjectMcp(McpRegistry, 'admin')` injects the registry of the server `admin`.
 *
 * @example
 * ```ts
 * const handle = await registry.addTool({ name: 'ping', description: 'Answers' }, () => 'pong', { guards: [KeyGuard] });
 * handle.remove();
 * ```
 * @publicApi
 */
export abstract class McpRegistry {
  /**
   * Adds a tool.
   *
   * @throws InvalidComponentError or DuplicateComponentError, as at start-up; the registry is then unchanged.
   */
  abstract addTool<S extends SchemaSource | undefined = undefined>(
    options: ToolOptions<S> & OwnName,
    handler: HandlerFunction<HandlerArgs<S>>,
    enhancers?: ComponentEnhancers,
  ): Promise<ComponentHandle<ToolOptions>>;
  abstract addTool<T extends object>(
    options: ToolOptions,
    handler: HandlerMethod<T>,
    enhancers?: ComponentEnhancers,
  ): Promise<ComponentHandle<ToolOptions>>;

  /** Adds a resource, or a resource template if its `uri` contains a `{`; see `addTool`. */
  abstract addResource<V extends object = Readonly<Record<string, string>>>(
    options: ResourceOptions & OwnName,
    handler: HandlerFunction<V>,
    enhancers?: ComponentEnhancers,
  ): Promise<ComponentHandle<ResourceOptions>>;
  abstract addResource<T extends object>(
    options: ResourceOptions,
    handler: HandlerMethod<T>,
    enhancers?: ComponentEnhancers,
  ): Promise<ComponentHandle<ResourceOptions>>;

  /** Adds a prompt; see `addTool`. */
  abstract addPrompt<S extends SchemaSource | undefined = undefined>(
    options: Omit<PromptOptions, 'input'> & OwnInput<S> & OwnName,
    handler: HandlerFunction<HandlerArgs<S>>,
    enhancers?: ComponentEnhancers,
  ): Promise<ComponentHandle<PromptOptions>>;
  abstract addPrompt<T extends object>(
    options: PromptOptions,
    handler: HandlerMethod<T>,
    enhancers?: ComponentEnhancers,
  ): Promise<ComponentHandle<PromptOptions>>;

  /** Adds a completion for an argument of a prompt or a variable of a template; see `addTool`. */
  abstract addCompletion<T extends object>(
    options: CompletionOptions,
    handler: HandlerFunction<CompletionQuery> | HandlerMethod<T>,
    enhancers?: ComponentEnhancers,
  ): Promise<ComponentHandle<CompletionOptions>>;

  /** Finds a component by name, a resource by URI, or a template by source; includes decorated components. */
  abstract find(kind: 'tool', name: string): ComponentHandle<ToolOptions> | undefined;
  abstract find(kind: 'prompt', name: string): ComponentHandle<PromptOptions> | undefined;
  abstract find(kind: 'resource' | 'template', name: string): ComponentHandle<ResourceOptions> | undefined;
}

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

/**
 * A function as a handler; it gets the arguments and the context, and may return what decorated methods may.
 *
 * @publicApi
 */
export type HandlerFunction<Args> = (args: Args, context: McpContext) => unknown;

/**
 * A method of a provider or controller of the app as a handler, by class or injection token. It keeps its own guards,
 * interceptors, pipes, filters and scope.
 *
 * @publicApi
 */
export type HandlerMethod<T extends object = object> =
  | readonly [provider: abstract new (...args: never[]) => T, method: object extends T ? string : keyof T & string]
  | readonly [token: string | symbol, method: string];

/**
 * What a function gets for a schema; without one there are no arguments.
 *
 * @publicApi
 */
export type HandlerArgs<S> = S extends SchemaSource ? ToolArgs<S> : Readonly<Record<string, never>>;

type OwnName = { readonly name: string };
type OwnInput<S> = { readonly input?: S };

/**
 * Adds components at run time, and changes those that are there. All that holds for decorated components holds for
 * these: the checks at the start, and guards, interceptors, pipes and filters around every call. There is one for each
 * server; `@InjectMcp(McpRegistry, 'admin')` is that of another server than the default one.
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
   * @throws InvalidComponentError or DuplicateComponentError, as at the start of the app; nothing has changed then.
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

  /** Adds a resource, or a resource template when its `uri` has a brace; see `addTool`. */
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

  /** A component by its name, a resource by its URI, a template by its source; decorated ones too. */
  abstract find(kind: 'tool', name: string): ComponentHandle<ToolOptions> | undefined;
  abstract find(kind: 'prompt', name: string): ComponentHandle<PromptOptions> | undefined;
  abstract find(kind: 'resource' | 'template', name: string): ComponentHandle<ResourceOptions> | undefined;
}

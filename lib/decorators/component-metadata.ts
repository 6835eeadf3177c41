import type { ToolAnnotations } from '../model/component.js';
import type { ContentAnnotations } from '../model/content.js';
import type { Icon } from '../model/peer.js';
import type { SchemaSource } from '../schema/schema-source.js';
import { COMPONENT_METADATA } from '../mcp.constants.js';

/** Options that tools, resources and prompts have in common. */
export interface ComponentOptions {
  /**
   * Name of the component for clients: 1 to 128 characters of `A-Z a-z 0-9 _ . -`.
   *
   * @default the method name in snake_case
   */
  readonly name?: string;
  /** Name for display. */
  readonly title?: string;
  /** Purpose of the component, by which models choose it. */
  readonly description?: string;
  readonly icons?: readonly Icon[];
  /** Sent as `_meta` with the definition. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /**
   * Time limit of a request in milliseconds, including its time in the queue; `Infinity` for no limit.
   *
   * @default the option `limits.requestTimeoutMs` of the module
   */
  readonly timeoutMs?: number;
  /**
   * The server, or servers, that offer the component.
   *
   * @default the server of its module, else `default`
   */
  readonly server?: string | readonly string[];
}

/** Options of `@Tool()`. */
export interface ToolOptions<S extends SchemaSource | undefined = SchemaSource | undefined> extends ComponentOptions {
  /** A DTO class, a Standard Schema (Zod, Valibot, ArkType) or a JSON Schema 2020-12; defaults to the DTO class of the parameter. */
  readonly input?: S;
  /** Schema of the structured result, which is validated against it. */
  readonly output?: SchemaSource;
  readonly annotations?: ToolAnnotations;
}

/** Options of `@Resource()`. */
export interface ResourceOptions extends ComponentOptions {
  /** An absolute URI, or a URI template (RFC 6570) if it contains a `{`. */
  readonly uri: string;
  /** @default `text/plain` for strings, `application/json` for other values */
  readonly mimeType?: string;
  /** Size in bytes, if known; not for templates. */
  readonly size?: number;
  readonly annotations?: ContentAnnotations;
}

/** Options of `@Prompt()`. */
export interface PromptOptions extends ComponentOptions {
  /** Schema of the arguments, which are all strings; defaults to the DTO class of the parameter. */
  readonly input?: SchemaSource;
}

/** Options of `@Completion()`. */
export type CompletionOptions = {
  /** The argument that is completed. */
  readonly argument: string;
  readonly server?: string | readonly string[];
} & (
  | { readonly prompt: string; readonly resource?: undefined }
  | { readonly resource: string; readonly prompt?: undefined }
);

/** Metadata that the decorators store on a method. */
export type ComponentMetadata =
  | { readonly kind: 'tool'; readonly options: ToolOptions }
  | { readonly kind: 'resource'; readonly options: ResourceOptions }
  | { readonly kind: 'prompt'; readonly options: PromptOptions }
  | { readonly kind: 'completion'; readonly options: CompletionOptions };

/** Stores a frozen copy on the method; one method may declare several components. */
export function recordComponent(method: object, metadata: ComponentMetadata): void {
  const earlier = (Reflect.getOwnMetadata(COMPONENT_METADATA, method) ?? []) as readonly ComponentMetadata[];
  const copy = Object.freeze({ kind: metadata.kind, options: Object.freeze({ ...metadata.options }) });
  Reflect.defineMetadata(COMPONENT_METADATA, [copy as ComponentMetadata, ...earlier], method);
}

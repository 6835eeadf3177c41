import type { ContentAnnotations } from './content.js';
import type { JsonSchema } from './json-schema.js';
import type { Icon } from './peer.js';

/** `completion` completes the arguments of the other kinds and is never listed. */
export type ComponentKind = 'tool' | 'resource' | 'template' | 'prompt';

/** The lists of a server, and the kind of component that each contains. */
export const LISTS = { tools: 'tool', prompts: 'prompt', resources: 'resource', templates: 'template' } as const;

export type ListName = keyof typeof LISTS;

export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

/** Hints about a tool; clients treat them as untrusted. */
export interface ToolAnnotations {
  readonly title?: string;
  /** @default false */
  readonly readOnlyHint?: boolean;
  /** @default true */
  readonly destructiveHint?: boolean;
  /** @default false */
  readonly idempotentHint?: boolean;
  /** @default true */
  readonly openWorldHint?: boolean;
}

export interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool as it is listed. */
export interface ToolDefinition extends Described {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

/** A resource as it is listed. */
export interface ResourceDefinition extends Described {
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: ContentAnnotations;
}

/** A resource template as it is listed. */
export interface TemplateDefinition extends Described {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: ContentAnnotations;
}

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as it is listed. */
export interface PromptDefinition extends Described {
  readonly arguments?: readonly PromptArgument[];
}

export type ComponentDefinition = ToolDefinition | ResourceDefinition | TemplateDefinition | PromptDefinition;

import type { PromptMessage, ResourceContents } from '../model/content.js';
import type { CacheHint } from '../model/outcome.js';
import type { Implementation } from '../model/peer.js';

/**
 * What a server says about itself.
 *
 * @publicApi
 */
export interface McpServerDescription {
  readonly info: Implementation | undefined;
  /** Protocol revisions that it speaks. */
  readonly supportedVersions: readonly string[];
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/**
 * What a resource holds, and how long it may be kept.
 *
 * @publicApi
 */
export interface McpResource {
  readonly contents: readonly ResourceContents[];
  readonly cache: CacheHint;
}

/**
 * A prompt with its arguments filled in.
 *
 * @publicApi
 */
export interface McpPrompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/**
 * Values that an argument may take.
 *
 * @publicApi
 */
export interface McpCompletion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

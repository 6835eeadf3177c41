import type { PromptMessage, ResourceContents } from '../model/content.js';
import type { CacheHint } from '../model/outcome.js';
import type { Implementation } from '../model/peer.js';

/**
 * Name, version, capabilities and instructions of a server.
 *
 * @publicApi
 */
export interface McpServerDescription {
  readonly info: Implementation | undefined;
  /** Protocol revisions that the server supports. */
  readonly supportedVersions: readonly string[];
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/**
 * The contents of a resource, and how long they may be cached.
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
 * Suggested values for an argument.
 *
 * @publicApi
 */
export interface McpCompletion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

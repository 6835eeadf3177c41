import type { AudioContent, ContentBlock, ImageContent, PromptMessage, TextContent } from './content.js';

/** A question as it is sent: a request without an id. */
export interface WireQuestion {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

/** Value of a field of a form. */
export type FormValue = string | number | boolean | string[];

/**
 * What the user did with a form. Declining and dismissing are answers, not errors.
 *
 * @publicApi
 */
export type ElicitAnswer<T = Record<string, FormValue>> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/**
 * What the user did when asked to open a page. `accept` is only consent to open it, not the outcome of the page.
 *
 * @publicApi
 */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/**
 * A page that the user is asked to open.
 *
 * @publicApi
 */
export interface ElicitUrlParams {
  /** Explains to the user why the page should be opened. */
  readonly message: string;
  /** An absolute `http:` or `https:` URL. Never put credentials or personal data into it. */
  readonly url: string;
}

/**
 * A directory or file that the client allows servers to work on.
 *
 * @publicApi
 */
export interface Root {
  readonly uri: `file://${string}`;
  readonly name?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The model wants to call one of the tools that it was offered. */
export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The result of a tool that the model called. */
export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * One block of a message to or from a model.
 *
 * @publicApi
 */
export type SampleBlock = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/**
 * One message to or from a model.
 *
 * @publicApi
 */
export interface SampleMessage {
  readonly role: 'user' | 'assistant';
  readonly content: SampleBlock | readonly SampleBlock[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool that the model may call. The handler that sampled has to run it, and to sample again with its result. */
export interface SampleTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Preferences for the model; clients may choose another one. */
export interface ModelPreferences {
  /** Parts of model names, the most preferred first. */
  readonly hints?: readonly { readonly name?: string }[];
  /** From 0 to 1, like the other priorities. */
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/**
 * A request to the client's model.
 *
 * @publicApi
 */
export interface SampleParams {
  /** Messages as built by `user('…')` and `assistant('…')`; resources are not allowed. */
  readonly messages: readonly (SampleMessage | PromptMessage)[];
  /** Maximum number of tokens of the answer. */
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly modelPreferences?: ModelPreferences;
  /** Values other than `'none'` are deprecated, and need a client that declares `sampling.context`. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Passed on to the provider of the model. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Tools need a client that declares `sampling.tools`. */
  readonly tools?: readonly SampleTool[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
}

/**
 * The answer of the client's model. It is untrusted text: treat it like user input.
 *
 * @publicApi
 */
export interface SampleAnswer extends SampleMessage {
  readonly model: string;
  /** Why the model stopped, such as `endTurn`, `stopSequence`, `maxTokens` or `toolUse`. */
  readonly stopReason?: string;
}

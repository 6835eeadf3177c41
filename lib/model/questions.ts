import type { AudioContent, ContentBlock, ImageContent, PromptMessage, TextContent } from './content.js';

/** A question as it travels: a request without an id. */
export interface WireQuestion {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a field of a form can hold. */
export type FormValue = string | number | boolean | string[];

/**
 * What the user did with a form. Declining and dismissing are answers, not errors.
 *
 * @publicApi
 */
export type ElicitAnswer<T = Record<string, FormValue>> =
  { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' } | { readonly action: 'cancel' };

/**
 * What the user did when asked to open a page. `accept` is consent to open it and says nothing of what happened there.
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
  /** Tells the user why. */
  readonly message: string;
  /** An absolute `http:` or `https:` URL. Never put credentials or personal data into it. */
  readonly url: string;
}

/**
 * A directory or file that the client lets servers work on.
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

/** What came out of a tool that the model called. */
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

/** A tool that the model may call; whoever asks runs it, and asks again with its result. */
export interface SampleTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Which model is wanted; clients may choose another. */
export interface ModelPreferences {
  /** Parts of model names, the dearest first. */
  readonly hints?: readonly { readonly name?: string }[];
  /** From 0 to 1, as are the others. */
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/**
 * What the client's model is asked.
 *
 * @publicApi
 */
export interface SampleParams {
  /** `user('…')` and `assistant('…')` make them; resources have no place here. */
  readonly messages: readonly (SampleMessage | PromptMessage)[];
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly modelPreferences?: ModelPreferences;
  /** Anything but `'none'` is deprecated, and needs a client that declares `sampling.context`. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Goes on to the provider of the model. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Need a client that declares `sampling.tools`. */
  readonly tools?: readonly SampleTool[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
}

/**
 * What the client's model said. It is text from outside: treat it as you treat what users type.
 *
 * @publicApi
 */
export interface SampleAnswer extends SampleMessage {
  readonly model: string;
  /** Such as `endTurn`, `stopSequence`, `maxTokens` or `toolUse`. */
  readonly stopReason?: string;
}

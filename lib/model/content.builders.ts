import type {
  AudioContent,
  ContentExtras,
  EmbeddedContent,
  ImageContent,
  ContentBlock,
  PromptMessage,
  ResourceContents,
  ResourceLinkContent,
  ResourcePart,
  TextContent,
  ToolResult,
} from './content.js';

type Binary = Uint8Array | string;

const base64 = (data: Binary): string => (typeof data === 'string' ? data : Buffer.from(data).toString('base64'));

/**
 * A text block.
 *
 * @publicApi
 */
export function text(value: string, extras: ContentExtras = {}): TextContent {
  return { type: 'text', text: value, ...extras };
}

/**
 * An image block; `data` is bytes or base64.
 *
 * @publicApi
 */
export function image(data: Binary, mimeType: string, extras: ContentExtras = {}): ImageContent {
  return { type: 'image', data: base64(data), mimeType, ...extras };
}

/**
 * An audio block; `data` is bytes or base64.
 *
 * @publicApi
 */
export function audio(data: Binary, mimeType: string, extras: ContentExtras = {}): AudioContent {
  return { type: 'audio', data: base64(data), mimeType, ...extras };
}

/**
 * A link to a resource that the client can read.
 *
 * @publicApi
 */
export function resourceLink(link: Omit<ResourceLinkContent, 'type'>): ResourceLinkContent {
  return { type: 'resource_link', ...link };
}

/**
 * A resource that is embedded in the answer.
 *
 * @publicApi
 */
export function embedded(resource: ResourceContents, extras: ContentExtras = {}): EmbeddedContent {
  return { type: 'resource', resource, ...extras };
}

/**
 * A failed tool call that the model can read and act on.
 *
 * @publicApi
 */
export function toolError(message: string | readonly ContentBlock[]): ToolResult {
  return { content: typeof message === 'string' ? [text(message)] : message, isError: true };
}

/**
 * The binary contents of a resource; `data` is bytes or base64.
 *
 * @publicApi
 */
export function blob(data: Binary, mimeType?: string): ResourcePart {
  return { blob: base64(data), ...(mimeType === undefined ? {} : { mimeType }) };
}

/**
 * Several parts of one resource.
 *
 * @publicApi
 */
export function contents(...parts: readonly ResourcePart[]): { readonly contents: readonly ResourcePart[] } {
  return { contents: parts };
}

/**
 * A prompt message spoken by the user.
 *
 * @publicApi
 */
export function user(content: string | ContentBlock): PromptMessage {
  return { role: 'user', content: typeof content === 'string' ? text(content) : content };
}

/**
 * A prompt message spoken by the assistant.
 *
 * @publicApi
 */
export function assistant(content: string | ContentBlock): PromptMessage {
  return { role: 'assistant', content: typeof content === 'string' ? text(content) : content };
}

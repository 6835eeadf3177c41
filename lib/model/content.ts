/** Hints for showing a content block. */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 0 (least) to 1 (most important). */
  readonly priority?: number;
  readonly lastModified?: string;
}

export interface ContentExtras {
  readonly annotations?: ContentAnnotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface TextContent extends ContentExtras {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageContent extends ContentExtras {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

export interface AudioContent extends ContentExtras {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

export interface ResourceLinkContent extends ContentExtras {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export interface EmbeddedContent extends ContentExtras {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/** One block of a tool's or prompt's answer. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLinkContent | EmbeddedContent;

/** One part of a resource; `uri` defaults to the URI that was read. */
export interface ResourcePart {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ResourceContents extends ResourcePart {
  readonly uri: string;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** The full result of a tool, for handlers that set all of its members. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

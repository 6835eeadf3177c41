import { MalformedAnswerError } from '../errors/client.errors.js';
import type { ContentBlock, PromptMessage, ResourceContents, ToolResult } from '../model/content.js';
import { isFields, type Fields } from '../model/fields.js';
import type { Implementation } from '../model/peer.js';
import type { McpCompletion, McpPrompt, McpResource, McpServerDescription } from './client-results.js';

/** Checks that a member is a list of objects; the members of the objects are not checked. */
function objects(value: unknown, what: string): readonly Fields[] {
  if (Array.isArray(value) && value.every(isFields)) return value;
  throw new MalformedAnswerError(`${what} is not a list of objects`);
}

/** Refuses a result that is not final, such as a question of the server. */
function complete(result: Fields): Fields {
  const { resultType = 'complete' } = result;
  if (resultType === 'complete') return result;
  throw new MalformedAnswerError(
    `it sent a result of the type ${JSON.stringify(resultType)}, which this client does not support`,
  );
}

export function readTool(result: Fields): ToolResult {
  const { content, structuredContent, isError, _meta } = complete(result);
  return {
    content: objects(content, 'the content of a tool') as unknown as readonly ContentBlock[],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === true ? { isError } : {}),
    ...(isFields(_meta) ? { _meta } : {}),
  };
}

export function readResource(result: Fields): McpResource {
  const { contents, ttlMs, cacheScope } = complete(result);
  return {
    contents: objects(contents, 'the contents of a resource') as unknown as readonly ResourceContents[],
    cache: { ttlMs: typeof ttlMs === 'number' ? ttlMs : 0, scope: cacheScope === 'public' ? 'public' : 'private' },
  };
}

export function readPrompt(result: Fields): McpPrompt {
  const { description, messages } = complete(result);
  return {
    messages: objects(messages, 'the messages of a prompt') as unknown as readonly PromptMessage[],
    ...(typeof description === 'string' ? { description } : {}),
  };
}

export function readCompletion(result: Fields): McpCompletion {
  const { completion } = complete(result);
  const { values, total, hasMore } = isFields(completion) ? completion : {};
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    throw new MalformedAnswerError('a completion has no values');
  }
  return {
    values,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof hasMore === 'boolean' ? { hasMore } : {}),
  };
}

export function readDescription(result: Fields, info: Implementation | undefined): McpServerDescription {
  const { supportedVersions, capabilities, instructions } = complete(result);
  return {
    info,
    supportedVersions: Array.isArray(supportedVersions)
      ? supportedVersions.filter((version): version is string => typeof version === 'string')
      : [],
    capabilities: isFields(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

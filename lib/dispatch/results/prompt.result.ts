import type { PromptMessage } from '../../model/content.js';
import { isFields } from '../../model/fields.js';
import { hasOnly, isContentBlock } from './content.shapes.js';
import { ResultError } from './result.error.js';

/** Reads the return value of a prompt. */
export function readPromptReturn(value: unknown, description: string | undefined): Readonly<Record<string, unknown>> {
  const described = description === undefined ? {} : { description };
  if (isFields(value) && Array.isArray(value['messages'])) return readFull(value, described);
  return { ...described, messages: (Array.isArray(value) ? value : [value]).map(readMessage) };
}

function readFull(value: Readonly<Record<string, unknown>>, described: object): Readonly<Record<string, unknown>> {
  const { messages, description, _meta: meta } = value;
  if (
    !hasOnly(value, ['messages', 'description', '_meta']) ||
    (description !== undefined && typeof description !== 'string') ||
    (meta !== undefined && !isFields(meta))
  ) {
    throw new ResultError('A full answer of a prompt has "messages", and may have a "description" and "_meta".');
  }
  return {
    ...described,
    ...(description === undefined ? {} : { description }),
    ...(meta === undefined ? {} : { _meta: meta }),
    messages: (messages as readonly unknown[]).map(readMessage),
  };
}

function readMessage(value: unknown): PromptMessage {
  if (typeof value === 'string') return { role: 'user', content: { type: 'text', text: value } };
  if (isContentBlock(value)) return { role: 'user', content: value };
  if (!isFields(value) || (value['role'] !== 'user' && value['role'] !== 'assistant')) {
    throw new ResultError('A prompt returns a string, a message { role, content } or a list of them.');
  }
  const content = value['content'];
  if (typeof content === 'string') return { role: value['role'], content: { type: 'text', text: content } };
  if (!isContentBlock(content)) {
    throw new ResultError(
      'The content of a prompt message is a string or one content block, such as text() or image().',
    );
  }
  return { role: value['role'], content };
}

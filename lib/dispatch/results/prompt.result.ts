import type { PromptMessage } from '../../model/content.js';
import { hasOnly, isContentBlock, isFields } from './content.shapes.js';
import { ResultError } from './result.error.js';

/** Reads the return value of a prompt. */
export function readPromptReturn(value: unknown, description: string | undefined): Readonly<Record<string, unknown>> {
  const described = description === undefined ? {} : { description };
  if (isFields(value) && hasOnly(value, ['messages', 'description', '_meta']) && Array.isArray(value['messages'])) {
    return { ...described, ...value, messages: value['messages'].map(readMessage) };
  }
  return { ...described, messages: (Array.isArray(value) ? value : [value]).map(readMessage) };
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
    throw new ResultError('The content of a prompt message is a string or one content block, such as text() or image().');
  }
  return { role: value['role'], content };
}

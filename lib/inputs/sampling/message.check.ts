import { isFields } from '../../model/fields.js';
import type { SampleBlock, SampleMessage } from '../../model/questions.js';
import { ownMember } from '../answer-shape.js';
import { findBlockFault, firstFault } from './block.check.js';

/** What is wrong with a message, if anything. */
export function findMessageFault(message: unknown, place: string): string | undefined {
  if (!isFields(message)) return `${place} must be an object with role and content`;
  const role = ownMember(message, 'role');
  if (role !== 'user' && role !== 'assistant') return `${place}.role must be user or assistant`;
  const content = ownMember(message, 'content');
  if (!Array.isArray(content)) return findBlockFault(content, `${place}.content`);
  return firstFault(content, (block, index) => findBlockFault(block, `${place}.content[${index}]`));
}

/** The blocks of a message, one or many. */
export function blocksOf({ content }: SampleMessage): readonly SampleBlock[] {
  return Array.isArray(content) ? (content as readonly SampleBlock[]) : [content as SampleBlock];
}

/**
 * What is wrong with the order of well-formed messages, if anything: what the assistant calls, the next message of the
 * user answers, all of it and nothing else.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export function findPairingFault(messages: readonly SampleMessage[]): string | undefined {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`;
    const fault = findRoleFault(message, place) ?? findResultFault(message, open, place);
    if (fault !== undefined) return fault;
    const uses = blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    open = new Set(uses);
    if (open.size < uses.length) return `${place} uses an id of tool_use twice`;
  }
  return open.size === 0 ? undefined : 'the last message calls tools, so the message with their results is missing';
}

function findRoleFault(message: SampleMessage, place: string): string | undefined {
  const speaks = message.role === 'user' ? 'tool_use' : 'tool_result';
  if (!blocksOf(message).some(({ type }) => type === speaks)) return undefined;
  const owner = message.role === 'user' ? 'the assistant' : 'the user';
  return `${place} holds ${speaks}, which belongs to ${owner}`;
}

function findResultFault(message: SampleMessage, open: ReadonlySet<string>, place: string): string | undefined {
  const blocks = blocksOf(message);
  const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
  if (answered.length === 0) {
    return open.size === 0 ? undefined : `${place} must hold the results of the tools that the message before it calls`;
  }
  if (answered.length < blocks.length) return `${place} must hold nothing but tool_result`;
  const unique = new Set(answered);
  return unique.size === answered.length && unique.size === open.size && answered.every((id) => open.has(id))
    ? undefined
    : `${place} must hold one tool_result for each tool_use of the message before it`;
}

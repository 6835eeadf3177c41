import { isFields } from '../model/fields.js';
import { ownMember } from './answer-shape.js';
import type { SampleBlock, SampleMessage } from '../model/questions.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Rule for a member of a block. */
type MemberRule = readonly [expected: string, accepts: (value: unknown) => boolean];

const isText = (value: unknown): value is string => typeof value === 'string';
const optional = ([expected, accepts]: MemberRule): MemberRule => [
  expected,
  (value) => value === undefined || accepts(value),
];

const TEXT: MemberRule = ['a string', isText];
const FLAG: MemberRule = ['true or false', (value) => typeof value === 'boolean'];
const RECORD: MemberRule = ['an object', isFields];
const BYTES: MemberRule = ['base64', isBase64];

type Members = Readonly<Record<string, MemberRule>>;

const MEDIA: Members = { data: BYTES, mimeType: TEXT };

const BLOCKS: Readonly<Record<string, Members>> = {
  text: { text: TEXT },
  image: MEDIA,
  audio: MEDIA,
  tool_use: { id: TEXT, name: TEXT, input: RECORD },
  tool_result: { toolUseId: TEXT, isError: optional(FLAG) },
};

/** Blocks that a tool may return in addition to text, images and audio. */
const TOOL_CONTENT: Readonly<Record<string, Members>> = {
  text: { text: TEXT },
  image: MEDIA,
  audio: MEDIA,
  resource_link: { uri: TEXT, name: TEXT },
  resource: { resource: ['an object with uri and text or blob', isResource] },
};

/** Accepts base64 with or without padding, like decoders. */
function isBase64(value: unknown): boolean {
  if (!isText(value) || !BASE64.test(value)) return false;
  const rest = value.length % 4;
  return rest === 0 || (rest !== 1 && !value.endsWith('='));
}

function isResource(value: unknown): boolean {
  return isText(ownMember(value, 'uri')) && (isText(ownMember(value, 'text')) || isText(ownMember(value, 'blob')));
}

/** Finds a fault in a block of a message: its place and the rule, never its content. */
function findBlockFault(block: unknown, place: string): string | undefined {
  const fault = findMemberFault(BLOCKS, block, place);
  if (fault !== undefined || ownMember(block, 'type') !== 'tool_result') return fault;
  const content = ownMember(block, 'content');
  if (!Array.isArray(content)) return `${place}.content must be a list of blocks`;
  return firstFault(content, (inner, index) => findMemberFault(TOOL_CONTENT, inner, `${place}.content[${index}]`));
}

/** Finds the first fault in a list. */
function firstFault<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const fault = find(item, index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findMemberFault(kinds: Readonly<Record<string, Members>>, block: unknown, place: string): string | undefined {
  const type = ownMember(block, 'type');
  const members = isText(type) && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (members === undefined) return `${place}.type must be one of ${Object.keys(kinds).join(', ')}`;
  const rules = Object.entries({ ...members, annotations: optional(RECORD), _meta: optional(RECORD) });
  return firstFault(rules, ([name, [expected, accepts]]) =>
    accepts(ownMember(block, name)) ? undefined : `${place}.${name} must be ${expected}`,
  );
}

/** Finds a fault in a message. */
export function findMessageFault(message: unknown, place: string): string | undefined {
  if (!isFields(message)) return `${place} must be an object with role and content`;
  const role = ownMember(message, 'role');
  if (role !== 'user' && role !== 'assistant') return `${place}.role must be user or assistant`;
  const content = ownMember(message, 'content');
  if (!Array.isArray(content)) return findBlockFault(content, `${place}.content`);
  return firstFault(content, (block, index) => findBlockFault(block, `${place}.content[${index}]`));
}

/** The blocks of a message as an array. */
export function blocksOf({ content }: SampleMessage): readonly SampleBlock[] {
  return Array.isArray(content) ? (content as readonly SampleBlock[]) : [content as SampleBlock];
}

/**
 * Finds a fault in the order of well-formed messages: the user message after tool calls of the assistant must contain the
 * results of exactly these calls.
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

type Params = Readonly<Record<string, unknown>>;
type Rule = readonly [name: string, expected: string, accepts: (value: unknown) => boolean];
const oneOf =
  (...allowed: readonly unknown[]) =>
  (value: unknown): boolean =>
    allowed.includes(value);

/** Rules of optional parameters. */
const OPTIONAL: readonly Rule[] = [
  ['systemPrompt', 'a string', isText],
  ['temperature', 'a number', Number.isFinite],
  ['stopSequences', 'a list of strings', (value) => Array.isArray(value) && value.every(isText)],
  ['metadata', 'an object', isFields],
  ['includeContext', 'none, thisServer or allServers', oneOf('none', 'thisServer', 'allServers')],
  ['toolChoice', '{mode: "auto" | "required" | "none"}', isToolChoice],
  ['modelPreferences', '{hints, costPriority, speedPriority, intelligencePriority} with numbers from 0 to 1', isWish],
  ['tools', 'a list of {name, inputSchema: {type: "object"}} with different names', areTools],
];

/** Finds a fault in the parameters of a sampling request. */
export function findSampleFault(params: Params): string | undefined {
  const { messages, maxTokens } = params;
  if (!Number.isSafeInteger(maxTokens) || Number(maxTokens) < 1) return '`maxTokens` must be a whole number from 1 up';
  if (!Array.isArray(messages) || messages.length === 0) return '`messages` must hold at least one message';
  return (
    firstFault(messages, (message, index) => findMessageFault(message, `messages[${index}]`)) ??
    findPairingFault(messages as readonly SampleMessage[]) ??
    firstFault(OPTIONAL, ([name, expected, accepts]) => {
      const value = ownMember(params, name);
      return value === undefined || accepts(value) ? undefined : `\`${name}\` must be ${expected}`;
    })
  );
}

function isToolChoice(value: unknown): boolean {
  return isFields(value) && oneOf(undefined, 'auto', 'required', 'none')(value['mode']);
}

function isWish(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { hints = [], costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = value;
  const isHint = (hint: unknown): boolean => isFields(hint) && (hint['name'] === undefined || isText(hint['name']));
  return (
    Array.isArray(hints) &&
    hints.every(isHint) &&
    [costPriority, speedPriority, intelligencePriority].every(
      (share) => typeof share === 'number' && share >= 0 && share <= 1,
    )
  );
}

function areTools(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const names = value.map((tool) => ownMember(tool, 'name'));
  const isTool = (tool: unknown): boolean => ownMember(ownMember(tool, 'inputSchema'), 'type') === 'object';
  return (
    names.every((name) => isText(name) && name !== '') && new Set(names).size === names.length && value.every(isTool)
  );
}

import { isFields } from '../../model/fields.js';
import { ownMember } from '../answer-shape.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** What a member of a block has to be. */
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

/** Blocks that a tool may return, besides text, images and audio. */
const TOOL_CONTENT: Readonly<Record<string, Members>> = {
  text: { text: TEXT },
  image: MEDIA,
  audio: MEDIA,
  resource_link: { uri: TEXT, name: TEXT },
  resource: { resource: ['an object with uri and text or blob', isResource] },
};

/** With padding or without, as decoders take it. */
function isBase64(value: unknown): boolean {
  if (!isText(value) || !BASE64.test(value)) return false;
  const rest = value.length % 4;
  return rest === 0 || (rest !== 1 && !value.endsWith('='));
}

function isResource(value: unknown): boolean {
  return isText(ownMember(value, 'uri')) && (isText(ownMember(value, 'text')) || isText(ownMember(value, 'blob')));
}

/** What is wrong with a block of a message, if anything: its place and the rule, never what it holds. */
export function findBlockFault(block: unknown, place: string): string | undefined {
  const fault = findMemberFault(BLOCKS, block, place);
  if (fault !== undefined || ownMember(block, 'type') !== 'tool_result') return fault;
  const content = ownMember(block, 'content');
  if (!Array.isArray(content)) return `${place}.content must be a list of blocks`;
  return firstFault(content, (inner, index) => findMemberFault(TOOL_CONTENT, inner, `${place}.content[${index}]`));
}

/** The first fault of a list. */
export function firstFault<T>(
  items: readonly T[],
  find: (item: T, index: number) => string | undefined,
): string | undefined {
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

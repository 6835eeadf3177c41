import { isFields } from '../../model/fields.js';
import type { SampleMessage } from '../../model/questions.js';
import { ownMember } from '../answer-shape.js';
import { firstFault } from './block.check.js';
import { findMessageFault, findPairingFault } from './message.check.js';

type Params = Readonly<Record<string, unknown>>;
type Rule = readonly [name: string, expected: string, accepts: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const oneOf =
  (...allowed: readonly unknown[]) =>
  (value: unknown): boolean =>
    allowed.includes(value);

/** What may be left out. */
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

/** What is wrong with the parameters of a sampling request, if anything. */
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

import type { ComponentKind } from '../../model/component.js';
import type { Fault } from '../../model/fault.js';
import { isFields } from '../../model/fields.js';
import type { ServerProfile } from '../../model/server-profile.js';
import type { Arguments, CompletionTarget, Operation } from '../../model/operation.js';
import { isAbsoluteUri } from '../../uri/canonical-uri.js';

type Params = Readonly<Record<string, unknown>>;

export type OperationReading = Operation | { readonly fault: Fault };

/** How one method becomes an operation. */
export interface MethodRule {
  /** Capability that the server must have declared. */
  readonly capability?: 'tools' | 'resources' | 'prompts' | 'completions' | 'subscriptions';
  /** Parameter that the header Mcp-Name repeats. */
  readonly mirrored?: 'name' | 'uri';
  /** Whether the response may be a question to the client, which then repeats the request. */
  readonly repeats?: boolean;
  readonly read: (params: Params) => OperationReading;
}

/** Whether a server with this profile supports the method. */
export const offers = ({ capability }: MethodRule, profile: ServerProfile): boolean =>
  capability === undefined ||
  (capability === 'subscriptions' ? profile.subscriptions : capability in profile.capabilities);

const invalid = (message: string): { readonly fault: Fault } => ({ fault: { kind: 'invalid-params', message } });

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isFields(value) && Object.values(value).every((item) => typeof item === 'string');

function list(of: ComponentKind): MethodRule['read'] {
  return ({ cursor }) => {
    if (cursor === undefined) return { kind: 'list', of };
    return typeof cursor === 'string' ? { kind: 'list', of, cursor } : invalid('cursor must be a string');
  };
}

function readArguments(value: unknown): Arguments | undefined {
  if (value === undefined) return {};
  return isFields(value) ? value : undefined;
}

function callTool(params: Params): OperationReading {
  if (typeof params['name'] !== 'string') return invalid('name must be a string');
  const args = readArguments(params['arguments']);
  if (args === undefined) return invalid('arguments must be an object');
  return { kind: 'call-tool', name: params['name'], arguments: args };
}

function getPrompt(params: Params): OperationReading {
  if (typeof params['name'] !== 'string') return invalid('name must be a string');
  const args = params['arguments'] ?? (params['arguments'] === undefined ? {} : null);
  if (!isTexts(args)) return invalid('arguments must be an object of strings');
  return { kind: 'get-prompt', name: params['name'], arguments: args };
}

function readResource(params: Params): OperationReading {
  return typeof params['uri'] === 'string'
    ? { kind: 'read-resource', uri: params['uri'] }
    : invalid('uri must be a string');
}

function readTarget(ref: unknown): CompletionTarget | undefined {
  if (!isFields(ref)) return undefined;
  if (ref['type'] === 'ref/prompt' && typeof ref['name'] === 'string') return { kind: 'prompt', name: ref['name'] };
  if (ref['type'] === 'ref/resource' && typeof ref['uri'] === 'string') return { kind: 'template', uri: ref['uri'] };
  return undefined;
}

function complete({ ref, argument, context }: Params): OperationReading {
  const target = readTarget(ref);
  if (target === undefined) return invalid('ref must name a prompt or a resource template');
  if (!isFields(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string') {
    return invalid('argument must have a name and a value');
  }
  const chosen = context === undefined ? {} : isFields(context) ? (context['arguments'] ?? {}) : undefined;
  if (!isTexts(chosen)) return invalid('context.arguments must be an object of strings');
  return { kind: 'complete', target, argument: { name: argument['name'], value: argument['value'] }, context: chosen };
}

/** Every method of this revision that a client may send; absence means unsupported. */
export const METHODS: ReadonlyMap<string, MethodRule> = new Map<string, MethodRule>([
  ['server/discover', { read: () => ({ kind: 'discover' }) }],
  ['tools/list', { capability: 'tools', read: list('tool') }],
  ['tools/call', { capability: 'tools', mirrored: 'name', repeats: true, read: callTool }],
  ['resources/list', { capability: 'resources', read: list('resource') }],
  ['resources/templates/list', { capability: 'resources', read: list('template') }],
  ['resources/read', { capability: 'resources', mirrored: 'uri', repeats: true, read: readResource }],
  ['prompts/list', { capability: 'prompts', read: list('prompt') }],
  ['prompts/get', { capability: 'prompts', mirrored: 'name', repeats: true, read: getPrompt }],
  ['completion/complete', { capability: 'completions', read: complete }],
  ['subscriptions/listen', { capability: 'subscriptions', read: readListen }],
]);

const MAX_URIS = 1_000;
const MAX_URI_LENGTH = 2_048;
const FLAGS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;

/**
 * The changes that a client subscribes to; keys of extensions are ignored.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export function readListen({
  notifications,
}: Readonly<Record<string, unknown>>): Operation | { readonly fault: Fault } {
  if (!isFields(notifications)) return invalid('notifications must be an object');
  const strange = FLAGS.find((flag) => !isFlag(notifications[flag]));
  if (strange !== undefined) return invalid(`notifications.${strange} must be a boolean`);
  const { resourceSubscriptions: uris = [] } = notifications;
  if (!Array.isArray(uris) || uris.length > MAX_URIS) {
    return invalid(`notifications.resourceSubscriptions must be a list of at most ${MAX_URIS} URIs`);
  }
  if (!uris.every(isAbsolute)) {
    return invalid('notifications.resourceSubscriptions must hold absolute URIs of at most 2048 characters');
  }
  return {
    kind: 'listen',
    filter: {
      tools: notifications['toolsListChanged'] === true,
      prompts: notifications['promptsListChanged'] === true,
      resources: notifications['resourcesListChanged'] === true,
      uris: [...new Set<string>(uris)],
    },
  };
}

const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

const isAbsolute = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_URI_LENGTH && isAbsoluteUri(value);

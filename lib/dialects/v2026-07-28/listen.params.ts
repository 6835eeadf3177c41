import type { Fault } from '../../model/fault.js';
import { isFields } from '../../model/fields.js';
import type { Operation } from '../../model/operation.js';
import { isAbsoluteUri } from '../../uri/absolute-uri.js';

const MAX_URIS = 1_000;
const MAX_URI_LENGTH = 2_048;
const FLAGS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;

const invalid = (message: string): { readonly fault: Fault } => ({ fault: { kind: 'invalid-params', message } });

/**
 * What a client wants to hear of; keys of extensions are not looked at.
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

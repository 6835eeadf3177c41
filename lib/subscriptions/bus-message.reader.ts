import type { Change } from '../model/change.js';
import type { BusMessage } from './change-bus.js';

/** One object for all times, so that its wire form is made once. */
const LIST_CHANGES = {
  'tools-changed': Object.freeze({ kind: 'tools-changed' }),
  'prompts-changed': Object.freeze({ kind: 'prompts-changed' }),
  'resources-changed': Object.freeze({ kind: 'resources-changed' }),
} as const;

/** A message as a bus of other processes delivered it, without what does not belong to it; `undefined` if it is none. */
export function readBusMessage(value: unknown): BusMessage | undefined {
  try {
    if (!isObject(value) || typeof value['server'] !== 'string') return undefined;
    const change = readChange(value['change']);
    return change === undefined ? undefined : { server: value['server'], change };
  } catch {
    // A getter of the bus threw.
    return undefined;
  }
}

function readChange(value: unknown): Change | undefined {
  if (!isObject(value)) return undefined;
  const { kind, uri } = value;
  if (kind === 'resource-updated') return typeof uri === 'string' ? Object.freeze({ kind, uri }) : undefined;
  return isListChange(kind) ? LIST_CHANGES[kind] : undefined;
}

function isListChange(kind: unknown): kind is keyof typeof LIST_CHANGES {
  return typeof kind === 'string' && Object.hasOwn(LIST_CHANGES, kind);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

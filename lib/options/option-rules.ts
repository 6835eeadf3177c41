import { LONGEST_TIMER_MS } from '../mcp.constants.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { findIconFault } from '../model/icon.rules.js';
import { isFields } from '../model/fields.js';

/** The known options, by the option that contains them; `''` is the top level. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...['name', 'version', 'title', 'description', 'websiteUrl', 'icons', 'instructions', 'path', 'protocols'],
    ...['http', 'listener', 'auth', 'limits', 'executor', 'subscriptions', 'pageSize', 'cache', 'requestState'],
  ],
  http: [
    ...['guards', 'interceptors', 'filters', 'allowedOrigins', 'allowedHosts', 'maxBodyBytes', 'bodyTimeoutMs'],
    ...['readTimeoutMs', 'chunkedBodies', 'keepAliveMs', 'writeTimeoutMs', 'disconnectProbeMs'],
    'maxPendingBodyBytes',
  ],
  listener: [
    ...['port', 'host', 'path', 'https', 'guards', 'allowedOrigins', 'allowedHosts', 'maxConnections'],
    ...['maxConnectionsPerAddress', 'maxRequestsPerAddress'],
    ...['maxHeadBytes', 'headTimeoutMs', 'idleTimeoutMs', 'maxBodyBytes', 'bodyTimeoutMs', 'readTimeoutMs'],
    ...['chunkedBodies', 'keepAliveMs', 'writeTimeoutMs', 'maxPendingBodyBytes'],
  ],
  auth: ['property', 'cancellationScopeProperty', 'policy', 'policyTimeoutMs', 'refusals'],
  limits: [
    ...['maxConcurrency', 'maxQueue', 'maxPerOwner', 'maxQueuedPerOwner', 'abandonAfterMs', 'maxAbandoned'],
    ...['requestTimeoutMs', 'drainTimeoutMs', 'maxSubscriptions', 'maxSubscriptionsPerOwner', 'maxResultBytes'],
  ],
  subscriptions: ['maxPendingChanges', 'overflow', 'bus', 'recheckMs'],
  requestState: ['keys', 'mode', 'ttlMs', 'useStore', 'principal'],
  forFeature: ['server', 'providers', 'imports'],
  connect: ['auth', 'headers', 'request', 'client', 'inputs'],
  cache: ['discover', 'tools', 'prompts', 'resources', 'templates', 'read'],
};

const HINT = ['ttlMs', 'scope'];

/** Options that Nest needs before the other options are created. */
const EARLY = new Set(['server', 'include', 'isGlobal']);

export function requireFields(value: unknown, option: string): void {
  if (value !== undefined && !isFields(value)) throw new InvalidOptionsError(option, 'it must be an object.');
}

/** Refuses unknown option names, most of which are typing errors. */
export function refuseUnknown(given: object, place: string): void {
  refuseOthers(given, KNOWN[place] ?? [], place);
}

function refuseOthers(given: object, known: readonly string[], place: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const name = place === '' ? unknown : `${place}.${unknown}`;
  const cure =
    place === '' && EARLY.has(unknown)
      ? 'it has to be known early. Pass it to forRootAsync() itself, beside the factory.'
      : `this option does not exist. Valid options: ${known.join(', ')}.`;
  throw new InvalidOptionsError(name, cure);
}

export function requireHint(hint: unknown, option: string): void {
  requireFields(hint, option);
  if (!isFields(hint)) return;
  refuseOthers(hint, HINT, option);
  const { ttlMs, scope } = hint;
  if (ttlMs !== undefined && (!Number.isSafeInteger(ttlMs) || (ttlMs as number) < 0)) {
    throw new InvalidOptionsError(`${option}.ttlMs`, 'it must be a whole number of milliseconds, 0 or more.');
  }
  if (scope !== undefined && scope !== 'public' && scope !== 'private') {
    throw new InvalidOptionsError(`${option}.scope`, 'it must be "public" or "private".');
  }
}

export function requireIcons(icons: unknown): void {
  const fault = icons === undefined ? undefined : findIconFault(icons);
  if (fault !== undefined) throw new InvalidOptionsError(`icons${fault.place}`, fault.reason);
}

/** Classes or instances; a circular import shows as `undefined` here. */
export function listed<T>(value: readonly T[] | undefined, option: string): readonly T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidOptionsError(option, 'it must be a list of classes or instances.');
  for (const item of value as readonly unknown[]) {
    if (typeof item === 'function' || (typeof item === 'object' && item !== null)) continue;
    throw new InvalidOptionsError(
      option,
      `it holds ${String(item)}. List classes or instances, and look for circular imports.`,
    );
  }
  return [...value];
}

export function positive(value: unknown, option: string, fallback: number, most = Number.MAX_SAFE_INTEGER): number {
  return value === undefined ? fallback : wholeNumber(value, option, 1, most);
}

export function wholeNumber(value: unknown, option: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    throw new InvalidOptionsError(option, `it must be a whole number from ${least} to ${most}.`);
  }
  return value as number;
}

/** Milliseconds, up to the maximum of a timer. */
export function duration(value: unknown, option: string, fallback: number): number {
  return positive(value, option, fallback, LONGEST_TIMER_MS);
}

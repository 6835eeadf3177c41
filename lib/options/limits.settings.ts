import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { Executor } from '../execution/executor.js';
import type { ServerLimits } from '../server/server-limits.interface.js';
import type { McpHttpOptions } from './mcp-http-options.interface.js';
import type { McpModuleOptions, McpSubscriptionOptions } from './mcp-options.interface.js';
import { duration, positive, refuseUnknown, requireFields, wholeNumber } from './option-rules.js';

/** How the work of a server is executed. */
export interface ExecutionSettings {
  readonly executor: Executor;
  /** Whether the server created the executor, and so has to close it. */
  readonly owned: boolean;
}

/** How changes reach clients; `undefined` for a server without change notices. */
export type SubscriptionSettings = Required<Pick<McpSubscriptionOptions, 'maxPendingChanges' | 'overflow'>> &
  Pick<McpSubscriptionOptions, 'bus' | 'recheckMs'>;

const PLACES = ['maxConcurrency', 'maxQueue', 'maxPerOwner', 'maxQueuedPerOwner', 'abandonAfterMs', 'maxAbandoned'];

const MAY_BE_NONE = new Set(['maxQueue', 'maxQueuedPerOwner', 'abandonAfterMs']);

/** Bytes. */
const USUAL_PENDING_BODIES = 67_108_864;

/** Limits for requests and subscriptions of one server, given the largest body that it accepts. */
export function readLimits(
  { limits = {}, listener }: McpModuleOptions,
  http: McpHttpOptions,
  largestBody: number,
): ServerLimits {
  const { requestTimeoutMs, maxSubscriptionsPerOwner, maxResultBytes } = limits;
  const maxSubscriptions = positive(limits.maxSubscriptions, 'limits.maxSubscriptions', 256);
  return {
    requestTimeoutMs:
      requestTimeoutMs === Number.POSITIVE_INFINITY
        ? requestTimeoutMs
        : duration(requestTimeoutMs, 'limits.requestTimeoutMs', 30_000),
    maxSubscriptions,
    maxSubscriptionsPerOwner: positive(
      maxSubscriptionsPerOwner,
      'limits.maxSubscriptionsPerOwner',
      Math.ceil(maxSubscriptions / 2),
    ),
    maxPendingBodyBytes: readPendingBodies(http, listener, largestBody),
    maxResultBytes: positive(maxResultBytes, 'limits.maxResultBytes', 16_777_216),
  };
}

/** Time in milliseconds that running calls get when the app closes, on every transport. */
export function readDrain({ limits = {} }: McpModuleOptions): number {
  return duration(limits.drainTimeoutMs, 'limits.drainTimeoutMs', 5_000);
}

type PendingBodies = Pick<McpHttpOptions, 'maxPendingBodyBytes'>;

/** One limit for all transports. One caller may use half of it, and a body has to fit into that half. */
function readPendingBodies(http: PendingBodies, listener: PendingBodies | undefined, largestBody: number): number {
  if (http.maxPendingBodyBytes !== undefined && listener?.maxPendingBodyBytes !== undefined) {
    throw new InvalidOptionsError(
      'listener.maxPendingBodyBytes',
      'http.maxPendingBodyBytes says it already, and all bodies of a server are counted together. Give one of them.',
    );
  }
  const least = 2 * largestBody;
  const [place, given] =
    http.maxPendingBodyBytes === undefined
      ? ['listener', listener?.maxPendingBodyBytes]
      : ['http', http.maxPendingBodyBytes];
  const bytes = positive(given, `${place}.maxPendingBodyBytes`, Math.max(USUAL_PENDING_BODIES, least));
  if (bytes >= least) return bytes;
  throw new InvalidOptionsError(
    `${place}.maxPendingBodyBytes`,
    `half of it is for one caller, so it must be at least ${least}, twice the largest maxBodyBytes.`,
  );
}

export function readExecution({ limits = {}, executor }: McpModuleOptions): ExecutionSettings {
  if (executor === undefined) return { executor: createExecutor(limits), owned: true };
  // Two copies of the package have two classes, whose instances are interchangeable.
  if (typeof executor !== 'object' || executor === null || typeof executor.submit !== 'function') {
    throw new InvalidOptionsError('executor', 'it must be an instance: new McpExecutor({ ... }).');
  }
  const ignored = PLACES.find((name) => (limits as Readonly<Record<string, unknown>>)[name] !== undefined);
  if (ignored !== undefined) {
    throw new InvalidOptionsError(
      `limits.${ignored}`,
      `the shared executor has its own. Pass it there: new McpExecutor({ ${ignored} }).`,
    );
  }
  return { executor, owned: false };
}

export function readSubscriptions({ subscriptions = {} }: McpModuleOptions): SubscriptionSettings | undefined {
  if (subscriptions === false) return undefined;
  requireFields(subscriptions, 'subscriptions');
  refuseUnknown(subscriptions, 'subscriptions');
  const { overflow = 'drop-oldest', bus, recheckMs } = subscriptions;
  if (overflow !== 'drop-oldest' && overflow !== 'drop-newest') {
    throw new InvalidOptionsError('subscriptions.overflow', 'it must be "drop-oldest" or "drop-newest".');
  }
  if (bus !== undefined && (typeof bus?.publish !== 'function' || typeof bus.subscribe !== 'function')) {
    throw new InvalidOptionsError('subscriptions.bus', 'it must be an instance of a class that extends ChangeBus.');
  }
  return {
    maxPendingChanges: positive(subscriptions.maxPendingChanges, 'subscriptions.maxPendingChanges', 100),
    overflow,
    ...(bus === undefined ? {} : { bus }),
    ...(recheckMs === undefined ? {} : { recheckMs: duration(recheckMs, 'subscriptions.recheckMs', recheckMs) }),
  };
}

/** Checked here as well, because these options are given below `limits`. */
function createExecutor(limits: NonNullable<McpModuleOptions['limits']>): Executor {
  const given = limits as Readonly<Record<string, number | undefined>>;
  const places = Object.fromEntries(PLACES.map((name) => [name, given[name]]));
  for (const [name, value] of Object.entries(places)) {
    if (value !== undefined) wholeNumber(value, `limits.${name}`, MAY_BE_NONE.has(name) ? 0 : 1);
  }
  return new Executor(places);
}

import type { AdmissionOptions } from '../admission/admission-options.interface.js';
import { SPOKEN_REVISIONS } from '../dialects/supported-revisions.js';
import type { ProfileOptions } from '../dispatch/registry.profile.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { ServerLimits } from '../server/server-limits.interface.js';
import type { HttpEndpoint, HttpOptions } from '../transports/http/http-options.interface.js';
import type { ListenerOptions } from '../transports/listener/listener-options.interface.js';
import type { TrustedProperties } from '../transports/trusted-properties.js';
import { readAdmission, readHttp, readProperties } from './http.settings.js';
import {
  readDrain,
  readExecution,
  readLimits,
  readSubscriptions,
  type ExecutionSettings,
  type SubscriptionSettings,
} from './limits.settings.js';
import { readListener } from './listener.settings.js';
import type { McpModuleOptions, McpAuthOptions, McpRequestStateOptions } from './mcp-options.interface.js';
import { positive, refuseUnknown, requireFields, duration, requireHint, requireIcons } from './option-rules.js';
import type { AccessOptions } from '../dispatch/access/access.control.js';
import type { PolicyGateOptions } from '../dispatch/access/access.rules.js';
import type { McpPolicy } from '../dispatch/access/mcp-policy.js';
import { LIST_NAMES } from '../model/component.js';
import type { Implementation } from '../model/peer.js';
import { readPrincipal, type PrincipalReader } from '../dispatch/caller-identity.js';
import { KEYS_VARIABLE, randomKey, readKeys } from '../request-state/key.reader.js';
import { StateSealer } from '../request-state/state-sealer.js';
import type { StateKey } from '../request-state/state-sealer-options.interface.js';

/** The checked options with defaults, divided into the parts that each folder takes. */
export interface McpSettings {
  readonly profile: ProfileOptions;
  readonly admission: AdmissionOptions;
  readonly http: HttpEndpoint;
  /** Limits for requests of other hosts; the same as for the endpoint. */
  readonly web: HttpOptions;
  readonly listener: ListenerOptions | undefined;
  /** Time in milliseconds that running calls get when the app closes. */
  readonly drainTimeoutMs: number;
  readonly properties: TrustedProperties;
  readonly limits: ServerLimits;
  readonly execution: ExecutionSettings;
  readonly subscriptions: SubscriptionSettings | undefined;
  readonly access: AccessSettings;
  readonly requestState: RequestStateSettings;
  readonly pageSize: number;
}

/** @throws InvalidOptionsError naming the option and the cure. */
export function readSettings(options: McpModuleOptions): McpSettings {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionsError('name', 'there are no options. Call forRoot({ name, version }).');
  }
  refuseUnknown(options, '');
  const { http: endpoint = {}, auth = {}, limits: bounds = {} } = options;
  requireFields(auth, 'auth');
  refuseUnknown(auth, 'auth');
  requireFields(bounds, 'limits');
  refuseUnknown(bounds, 'limits');
  const http = endpoint === false ? {} : endpoint;
  requireFields(http, 'http');
  requireProtocols(options.protocols);
  const limits = readHttp(http, options.path);
  const drainTimeoutMs = readDrain(options);
  const listener = readListener(options, drainTimeoutMs);
  return {
    profile: readProfile(options),
    admission: readAdmission(http, 'http'),
    http: endpoint === false ? false : limits,
    web: limits,
    listener,
    drainTimeoutMs,
    properties: readProperties(auth),
    limits: readLimits(
      options,
      http,
      largestBody(endpoint === false && listener !== undefined ? [listener] : [limits, listener]),
    ),
    execution: readExecution(options),
    subscriptions: readSubscriptions(options),
    access: readAccess(options),
    requestState: readRequestState(options.requestState),
    pageSize: positive(options.pageSize, 'pageSize', 100),
  };
}

function largestBody(places: readonly (Pick<HttpOptions, 'maxBodyBytes'> | undefined)[]): number {
  return Math.max(...places.map((place) => place?.maxBodyBytes ?? 0));
}

function requireProtocols(protocols: readonly string[] | undefined): void {
  if (protocols === undefined) return;
  if (!Array.isArray(protocols) || protocols.length === 0) {
    throw new InvalidOptionsError('protocols', 'it must be a list of at least one revision.');
  }
  const strange = protocols.find((revision) => !SPOKEN_REVISIONS.includes(revision));
  if (strange !== undefined) {
    throw new InvalidOptionsError(
      'protocols',
      `the revision "${strange}" is not supported. Supported revisions: ${SPOKEN_REVISIONS.join(', ')}.`,
    );
  }
}

/** Which caller may see and use which component. */
interface AccessSettings extends AccessOptions, PolicyGateOptions {
  readonly policy?: NonNullable<McpAuthOptions['policy']>;
}

/** Results whose content depends on components; the result of `discover` is the same for every caller. */
const PERSONAL = [...LIST_NAMES, 'read'] as const;

function readAccess({ auth = {}, cache = {} }: McpModuleOptions): AccessSettings {
  const { policy, refusals = 'explain' } = auth;
  if (refusals !== 'explain' && refusals !== 'conceal') {
    throw new InvalidOptionsError('auth.refusals', 'it must be "explain" or "conceal".');
  }
  requirePolicy(policy);
  return {
    conceal: refusals === 'conceal',
    policyTimeoutMs: duration(auth.policyTimeoutMs, 'auth.policyTimeoutMs', 5_000),
    publicResults: PERSONAL.filter((subject) => cache[subject]?.scope === 'public'),
    ...(policy === undefined ? {} : { policy }),
  };
}

function requirePolicy(policy: McpAuthOptions['policy']): void {
  if (policy === undefined || typeof policy === 'function') return;
  if (typeof (policy as Partial<McpPolicy> | null)?.decide === 'function') return;
  throw new InvalidOptionsError('auth.policy', 'it must be a class that extends McpPolicy, or an instance of one.');
}

/** How a server describes itself. */
function readProfile(options: McpModuleOptions): ProfileOptions {
  const { name, version, title, description, websiteUrl, icons, instructions, cache = {} } = options;
  for (const [option, value] of Object.entries({ name, version })) {
    if (typeof value !== 'string' || value === '')
      throw new InvalidOptionsError(option, 'it must be a string that is not empty.');
  }
  for (const [option, value] of Object.entries({ title, description, websiteUrl, instructions })) {
    if (value !== undefined && typeof value !== 'string') throw new InvalidOptionsError(option, 'it must be a string.');
  }
  requireIcons(icons);
  requireFields(cache, 'cache');
  refuseUnknown(cache, 'cache');
  for (const [subject, hint] of Object.entries(cache)) requireHint(hint, `cache.${subject}`);
  const identity = withoutAbsent({ name, version, title, description, websiteUrl, icons }) as unknown as Implementation;
  const subscriptions = options.subscriptions !== false;
  return { identity, cache, subscriptions, ...(instructions === undefined ? {} : { instructions }) };
}

function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The keys that seal the request states of a server. */
interface RequestStateSettings {
  readonly sealer: StateSealer;
  readonly principalOf: PrincipalReader;
  /** Whether the keys exist only as long as this process. */
  readonly isEphemeral: boolean;
}

/** Keys of the options, else keys of the environment, else a key that is created for this process. */
function readRequestState(options: McpRequestStateOptions = {}): RequestStateSettings {
  requireFields(options, 'requestState');
  refuseUnknown(options, 'requestState');
  const { principal, keys: given, ...others } = options;
  if (principal !== undefined && typeof principal !== 'function') {
    throw new InvalidOptionsError('requestState.principal', 'it must be a function (auth) => string.');
  }
  const keys = given ?? keysOfEnvironment();
  return {
    sealer: new StateSealer({ keys: keys ?? [randomKey()], ...others }),
    principalOf: principal ?? readPrincipal,
    isEphemeral: keys === undefined,
  };
}

function keysOfEnvironment(): readonly StateKey[] | undefined {
  const text = process.env[KEYS_VARIABLE];
  return text === undefined ? undefined : readKeys(text);
}

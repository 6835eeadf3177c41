import type { AdmissionOptions } from '../admission/admission-options.interface.js';
import type { ProfileOptions } from '../dispatch/registry.profile.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { ServerLimits } from '../server/server-limits.interface.js';
import type { HttpEndpoint, HttpOptions } from '../transports/http/http-options.interface.js';
import type { ListenerOptions } from '../transports/listener/listener-options.interface.js';
import type { TrustedProperties } from '../transports/trusted-properties.js';
import { readAccess, type AccessSettings } from './access.settings.js';
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
import type { McpModuleOptions } from './mcp-options.interface.js';
import { positive, refuseUnknown, requireFields } from './option-rules.js';
import { readProfile } from './profile.settings.js';
import { readRequestState, type RequestStateSettings } from './request-state.settings.js';

/** The options, checked and with defaults, cut into the slices that the folders take. */
export interface McpSettings {
  readonly profile: ProfileOptions;
  readonly admission: AdmissionOptions;
  readonly http: HttpEndpoint;
  /** What requests of other hosts may cost; the same as those of the endpoint. */
  readonly web: HttpOptions;
  readonly listener: ListenerOptions | undefined;
  /** Milliseconds that running calls get when the app closes. */
  readonly drainTimeoutMs: number;
  readonly properties: TrustedProperties;
  readonly limits: ServerLimits;
  readonly execution: ExecutionSettings;
  readonly subscriptions: SubscriptionSettings | undefined;
  readonly access: AccessSettings;
  readonly requestState: RequestStateSettings;
  readonly pageSize: number;
}

/** Of the protocol, the newest first. */
export const SPOKEN_REVISIONS: readonly string[] = ['2026-07-28'];

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
      `the revision "${strange}" is not spoken. Known are ${SPOKEN_REVISIONS.join(', ')}.`,
    );
  }
}

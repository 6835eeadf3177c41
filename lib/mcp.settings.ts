import type { AdmissionOptions } from './admission/admission-options.interface.js';
import { complainAboutHost } from './admission/host-list.js';
import type { ProfileOptions } from './dispatch/registry.profile.js';
import { InvalidOptionsError } from './errors/invalid-options.error.js';
import type { McpHttpOptions, McpModuleOptions } from './mcp-options.interface.js';
import { listed, positive, refuseUnknown, requireFields, requireHint, requireIcons } from './mcp.option-rules.js';
import type { Implementation } from './model/peer.js';
import type { HttpEndpoint } from './transports/http/http-options.interface.js';

/** The options, checked and with defaults, cut into the slices that the folders take. */
export interface McpSettings {
  readonly profile: ProfileOptions;
  readonly admission: AdmissionOptions;
  readonly http: HttpEndpoint;
  readonly pageSize: number;
}

const REVISIONS = ['2026-07-28'];

const PATH = /^\/?[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*$/;
const LONGEST_TIMER_MS = 2_147_483_647;

/** @throws InvalidOptionsError naming the option and the cure. */
export function readSettings(options: McpModuleOptions): McpSettings {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionsError('name', 'there are no options. Call forRoot({ name, version }).');
  }
  refuseUnknown(options, '');
  const { http, auth } = options;
  requireFields(auth, 'auth');
  refuseUnknown(auth ?? {}, 'auth');
  if (http !== false) requireFields(http, 'http');
  requireProtocols(options.protocols);
  return {
    profile: readProfile(options),
    admission: readAdmission(http === false ? {} : (http ?? {})),
    http: http === false ? false : readHttp(http ?? {}, options),
    pageSize: positive(options.pageSize, 'pageSize', 100),
  };
}

function requireProtocols(protocols: readonly string[] | undefined): void {
  if (protocols === undefined) return;
  if (!Array.isArray(protocols) || protocols.length === 0) {
    throw new InvalidOptionsError('protocols', 'it must be a list of at least one revision.');
  }
  const strange = protocols.find((revision) => !REVISIONS.includes(revision));
  if (strange !== undefined) {
    throw new InvalidOptionsError(
      'protocols',
      `the revision "${strange}" is not spoken. Known are ${REVISIONS.join(', ')}.`,
    );
  }
}

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
  return { identity, cache, ...(instructions === undefined ? {} : { instructions }) };
}

function readAdmission({ allowedOrigins = ['loopback'], allowedHosts }: McpHttpOptions): AdmissionOptions {
  requireHosts(allowedOrigins, 'http.allowedOrigins');
  if (allowedHosts !== undefined) requireHosts(allowedHosts, 'http.allowedHosts');
  return { allowedOrigins, ...(allowedHosts === undefined ? {} : { allowedHosts }) };
}

function requireHosts(hosts: readonly string[], option: string): void {
  if (!Array.isArray(hosts)) throw new InvalidOptionsError(option, 'it must be a list of hosts.');
  for (const host of hosts) {
    const complaint = complainAboutHost(host);
    if (complaint !== undefined) throw new InvalidOptionsError(option, `${complaint}.`);
  }
}

function readHttp(http: McpHttpOptions, { path = '/mcp', auth }: McpModuleOptions): HttpEndpoint {
  refuseUnknown(http, 'http');
  if (typeof path !== 'string' || !PATH.test(path)) {
    throw new InvalidOptionsError(
      'path',
      'it must be a plain path such as "/mcp", without query, wildcards or parameters.',
    );
  }
  const { chunkedBodies = 'accept' } = http;
  if (chunkedBodies !== 'accept' && chunkedBodies !== 'refuse') {
    throw new InvalidOptionsError('http.chunkedBodies', 'it must be "accept" or "refuse".');
  }
  const authProperty = auth?.property ?? 'mcpAuth';
  if (typeof authProperty !== 'string' || authProperty === '') {
    throw new InvalidOptionsError('auth.property', 'it must be the name of a property of the request.');
  }
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    guards: listed(http.guards, 'http.guards'),
    interceptors: listed(http.interceptors, 'http.interceptors'),
    filters: listed(http.filters, 'http.filters'),
    maxBodyBytes: positive(http.maxBodyBytes, 'http.maxBodyBytes', 2_000_000),
    bodyTimeoutMs: positive(http.bodyTimeoutMs, 'http.bodyTimeoutMs', 10_000, LONGEST_TIMER_MS),
    readTimeoutMs: positive(http.readTimeoutMs, 'http.readTimeoutMs', 5_000, LONGEST_TIMER_MS),
    drainTimeoutMs: positive(http.drainTimeoutMs, 'http.drainTimeoutMs', 5_000, LONGEST_TIMER_MS),
    chunkedBodies,
    authProperty,
  };
}

function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

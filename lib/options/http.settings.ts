import type { AdmissionOptions } from '../admission/admission-options.interface.js';
import { complainAboutHost } from '../admission/host-list.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { HttpEndpoint } from '../transports/http/http-options.interface.js';
import type { TrustedProperties } from '../transports/trusted-properties.js';
import type { McpAuthOptions, McpHttpOptions } from './mcp-options.interface.js';
import { duration, listed, positive, refuseUnknown } from './option-rules.js';

const PATH = /^\/?[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*$/;

/** Who may knock. */
export function readAdmission({ allowedOrigins = ['loopback'], allowedHosts }: McpHttpOptions): AdmissionOptions {
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

/** Where the endpoint is, and what its requests and answers may cost. */
export function readHttp(http: McpHttpOptions, path: unknown): HttpEndpoint {
  refuseUnknown(http, 'http');
  const { chunkedBodies = 'accept' } = http;
  if (chunkedBodies !== 'accept' && chunkedBodies !== 'refuse') {
    throw new InvalidOptionsError('http.chunkedBodies', 'it must be "accept" or "refuse".');
  }
  return {
    path: readPath(path),
    guards: listed(http.guards, 'http.guards'),
    interceptors: listed(http.interceptors, 'http.interceptors'),
    filters: listed(http.filters, 'http.filters'),
    maxBodyBytes: positive(http.maxBodyBytes, 'http.maxBodyBytes', 2_000_000),
    bodyTimeoutMs: duration(http.bodyTimeoutMs, 'http.bodyTimeoutMs', 10_000),
    readTimeoutMs: duration(http.readTimeoutMs, 'http.readTimeoutMs', 5_000),
    keepAliveMs: duration(http.keepAliveMs, 'http.keepAliveMs', 15_000),
    writeTimeoutMs: duration(http.writeTimeoutMs, 'http.writeTimeoutMs', 5_000),
    ...(http.disconnectProbeMs === undefined
      ? {}
      : { disconnectProbeMs: duration(http.disconnectProbeMs, 'http.disconnectProbeMs', 0) }),
    chunkedBodies,
  };
}

/** How long running calls get when the app closes, however they came. */
export function readDrain({ drainTimeoutMs }: McpHttpOptions): number {
  return duration(drainTimeoutMs, 'http.drainTimeoutMs', 5_000);
}

/** Where guards and middleware leave what they know of a caller. */
export function readProperties({ property, cancellationScopeProperty }: McpAuthOptions): TrustedProperties {
  return {
    auth: readProperty(property, 'auth.property', 'mcpAuth'),
    cancellationScope: readProperty(
      cancellationScopeProperty,
      'auth.cancellationScopeProperty',
      'mcpCancellationScope',
    ),
  };
}

function readPath(path: unknown = '/mcp'): string {
  if (typeof path !== 'string' || !PATH.test(path)) {
    throw new InvalidOptionsError(
      'path',
      'it must be a plain path such as "/mcp", without query, wildcards or parameters.',
    );
  }
  return path.startsWith('/') ? path : `/${path}`;
}

function readProperty(value: unknown, option: string, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidOptionsError(option, 'it must be the name of a property of the request.');
}

import type { AdmissionOptions } from '../admission/admission-options.interface.js';
import { findHostProblem } from '../admission/host-list.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { HttpOptions } from '../transports/http/http-options.interface.js';
import type { TrustedProperties } from '../transports/trusted-properties.js';
import type { McpHttpOptions } from './mcp-http-options.interface.js';
import type { McpAuthOptions } from './mcp-options.interface.js';
import { duration, listed, positive, refuseUnknown } from './option-rules.js';

const PATH = /^\/?[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*$/;

/** Which Origins and Hosts are accepted. */
export function readAdmission(
  { allowedOrigins = ['loopback'], allowedHosts }: Pick<McpHttpOptions, 'allowedOrigins' | 'allowedHosts'>,
  option: string,
): AdmissionOptions {
  requireHosts(allowedOrigins, `${option}.allowedOrigins`);
  if (allowedHosts !== undefined) requireHosts(allowedHosts, `${option}.allowedHosts`);
  return { allowedOrigins, ...(allowedHosts === undefined ? {} : { allowedHosts }) };
}

function requireHosts(hosts: readonly string[], option: string): void {
  if (!Array.isArray(hosts)) throw new InvalidOptionsError(option, 'it must be a list of hosts.');
  for (const host of hosts) {
    const problem = findHostProblem(host);
    if (problem !== undefined) throw new InvalidOptionsError(option, `${problem}.`);
  }
}

/** Path of the endpoint, and limits of its requests and responses. */
export function readHttp(http: McpHttpOptions, path: unknown): HttpOptions {
  refuseUnknown(http, 'http');
  return {
    path: readPath(path),
    guards: listed(http.guards, 'http.guards'),
    interceptors: listed(http.interceptors, 'http.interceptors'),
    filters: listed(http.filters, 'http.filters'),
    ...readBodyLimits(http, 'http'),
    ...(http.disconnectProbeMs === undefined
      ? {}
      : { disconnectProbeMs: duration(http.disconnectProbeMs, 'http.disconnectProbeMs', 0) }),
  };
}

type BodyLimits =
  | 'maxBodyBytes'
  | 'bodyTimeoutMs'
  | 'readTimeoutMs'
  | 'keepAliveMs'
  | 'writeTimeoutMs'
  | 'chunkedBodies';

/** Limits of request bodies and responses, for every transport of HTTP. */
export function readBodyLimits(given: Pick<McpHttpOptions, BodyLimits>, option: string): Pick<HttpOptions, BodyLimits> {
  const { chunkedBodies = 'accept' } = given;
  if (chunkedBodies !== 'accept' && chunkedBodies !== 'refuse') {
    throw new InvalidOptionsError(`${option}.chunkedBodies`, 'it must be "accept" or "refuse".');
  }
  return {
    maxBodyBytes: positive(given.maxBodyBytes, `${option}.maxBodyBytes`, 2_000_000),
    bodyTimeoutMs: duration(given.bodyTimeoutMs, `${option}.bodyTimeoutMs`, 10_000),
    readTimeoutMs: duration(given.readTimeoutMs, `${option}.readTimeoutMs`, 5_000),
    keepAliveMs: duration(given.keepAliveMs, `${option}.keepAliveMs`, 15_000),
    writeTimeoutMs: duration(given.writeTimeoutMs, `${option}.writeTimeoutMs`, 5_000),
    chunkedBodies,
  };
}

/** Properties of the request in which guards and middleware store the caller. */
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

export function readPath(path: unknown = '/mcp', option = 'path'): string {
  if (typeof path !== 'string' || !PATH.test(path)) {
    throw new InvalidOptionsError(
      option,
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

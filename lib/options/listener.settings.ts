import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { ListenerOptions, ListenerTls } from '../transports/listener/listener-options.interface.js';
import { readAdmission, readBodyLimits, readPath } from './http.settings.js';
import type { McpModuleOptions } from './mcp-options.interface.js';
import { duration, listed, positive, refuseUnknown, requireFields, wholeNumber } from './option-rules.js';

const MOST_PORT = 65_535;
/** No request of a client of this protocol fits into a smaller head. */
const LEAST_HEAD_BYTES = 1_024;
const MOST_HEAD_BYTES = 1_048_576;

/** The settings of the own listener, or `undefined` for a server without a listener. */
export function readListener(
  { listener, path }: McpModuleOptions,
  drainTimeoutMs: number,
): ListenerOptions | undefined {
  if (listener === undefined) return undefined;
  requireFields(listener, 'listener');
  refuseUnknown(listener, 'listener');
  const { https } = listener;
  requireTls(https);
  const maxConnections = positive(listener.maxConnections, 'listener.maxConnections', 1_024);
  return {
    host: readHost(listener.host),
    port: wholeNumber(listener.port, 'listener.port', 0, MOST_PORT),
    path: listener.path === undefined ? readPath(path) : readPath(listener.path, 'listener.path'),
    ...(https === undefined ? {} : { https }),
    guards: listed(listener.guards, 'listener.guards'),
    ...readAdmission(listener, 'listener'),
    maxConnections,
    maxConnectionsPerAddress: positive(
      listener.maxConnectionsPerAddress,
      'listener.maxConnectionsPerAddress',
      Math.ceil(maxConnections / 2),
    ),
    maxRequestsPerAddress: positive(listener.maxRequestsPerAddress, 'listener.maxRequestsPerAddress', 512),
    maxHeadBytes:
      listener.maxHeadBytes === undefined
        ? 32_768
        : wholeNumber(listener.maxHeadBytes, 'listener.maxHeadBytes', LEAST_HEAD_BYTES, MOST_HEAD_BYTES),
    headTimeoutMs: duration(listener.headTimeoutMs, 'listener.headTimeoutMs', 10_000),
    idleTimeoutMs: duration(listener.idleTimeoutMs, 'listener.idleTimeoutMs', 10_000),
    ...readBodyLimits(listener, 'listener'),
    drainTimeoutMs,
  };
}

function readHost(host: unknown = '127.0.0.1'): string {
  if (typeof host === 'string' && /^[^\s/[\]]+$/.test(host)) return host;
  throw new InvalidOptionsError(
    'listener.host',
    'it must be an address or a name of this machine, such as "127.0.0.1" or "::1", without a port.',
  );
}

/** TLS itself finds errors inside the certificate. */
function requireTls(https: ListenerTls | undefined): void {
  requireFields(https, 'listener.https');
  if (https === undefined) return;
  const { key, cert, pfx, SNICallback } = https;
  if (pfx !== undefined || SNICallback !== undefined || (key !== undefined && cert !== undefined)) return;
  throw new InvalidOptionsError(
    'listener.https',
    'it must hold "key" and "cert", or "pfx". Leave it out for plain HTTP.',
  );
}

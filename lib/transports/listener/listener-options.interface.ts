import type { ServerOptions } from 'node:https';

import type { CanActivate, Type } from '@nestjs/common';

import type { HttpOptions } from '../http/http-options.interface.js';

/** Certificate, key and the other TLS options of `createServer` of `node:https`. */
export type ListenerTls = ServerOptions;

type Shared =
  | 'maxBodyBytes'
  | 'bodyTimeoutMs'
  | 'readTimeoutMs'
  | 'keepAliveMs'
  | 'writeTimeoutMs'
  | 'chunkedBodies'
  | 'path';

/** Address of the listener, and limits for its connections and requests. */
export interface ListenerOptions extends Pick<HttpOptions, Shared> {
  readonly host: string;
  readonly port: number;
  readonly https?: ListenerTls;
  readonly guards: readonly (Type<CanActivate> | CanActivate)[];
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts?: readonly string[];
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxRequestsPerAddress: number;
  readonly maxHeadBytes: number;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly drainTimeoutMs: number;
}

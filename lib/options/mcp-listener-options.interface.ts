import type { CanActivate, Type } from '@nestjs/common';

import type { ListenerTls } from '../transports/listener/listener-options.interface.js';
import type { McpHttpOptions } from './mcp-http-options.interface.js';

type SharedWithHttp =
  | 'allowedOrigins'
  | 'allowedHosts'
  | 'maxBodyBytes'
  | 'bodyTimeoutMs'
  | 'readTimeoutMs'
  | 'chunkedBodies'
  | 'keepAliveMs'
  | 'writeTimeoutMs'
  | 'maxPendingBodyBytes';

/**
 * The server's own HTTP server, beside that of the app or instead of it. What it shares with `http` is given here anew.
 *
 * @publicApi
 */
export interface McpListenerOptions extends Pick<McpHttpOptions, SharedWithHttp> {
  /** Port to listen at; with 0 the system chooses one, and `McpServer.listenerUrl` tells it. */
  port: number;
  /**
   * Address or name of this machine to listen at; `0.0.0.0` or `::` for all of them.
   *
   * @default '127.0.0.1'
   */
  host?: string;
  /**
   * The one path that is served, without any prefix of the app.
   *
   * @default the option `path`
   */
  path?: string;
  /**
   * Key, certificate and other options of TLS, as `createServer` of `node:https` takes them.
   *
   * @default HTTP without TLS
   */
  https?: ListenerTls;
  /** Guards, classes or instances; with type `'http'`, over Node's own request, before the first byte of a body is read. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
  /**
   * Connections that may be open at once; one more is closed unread.
   *
   * @default 1_024
   */
  maxConnections?: number;
  /**
   * Connections that one address, or one /64 of IPv6, may have open at once; one more is closed unread.
   *
   * @default half of `maxConnections`, rounded up
   */
  maxConnectionsPerAddress?: number;
  /**
   * Requests of one address, or of one /64 of IPv6, that may be handled at once; one more gets 503.
   *
   * @default 512
   */
  maxRequestsPerAddress?: number;
  /**
   * Largest head of a request, in bytes of its target, header names and values.
   *
   * @default 32_768
   */
  maxHeadBytes?: number;
  /**
   * Time for a head to arrive, from the opening of the connection or the first byte of a further request; in milliseconds.
   *
   * @default 10_000
   */
  headTimeoutMs?: number;
  /**
   * How long a connection may stay open between two requests, in milliseconds; proxies in front should use less.
   *
   * @default 10_000
   */
  idleTimeoutMs?: number;
}

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
 * The server's own HTTP server, beside the app's HTTP server or instead of it. Options of `http` do not apply to it.
 *
 * @publicApi
 */
export interface McpListenerOptions extends Pick<McpHttpOptions, SharedWithHttp> {
  /** Port to listen on; with 0 the system chooses one, and `McpServer.listenerUrl` contains it. */
  port: number;
  /**
   * Address or host name of this machine to listen on; `0.0.0.0` or `::` for all addresses.
   *
   * @default '127.0.0.1'
   */
  host?: string;
  /**
   * The only path that is served, without the app's global prefix.
   *
   * @default the option `path`
   */
  path?: string;
  /**
   * Key, certificate and other TLS options, as `createServer` of `node:https` takes them.
   *
   * @default HTTP without TLS
   */
  https?: ListenerTls;
  /** Guards (classes or instances) of type `'http'`. They get Node's own request, before the body is read. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
  /**
   * Maximum number of open connections; a further connection is closed without reading from it.
   *
   * @default 1_024
   */
  maxConnections?: number;
  /**
   * Maximum number of open connections from one address, or one /64 of IPv6; a further connection is closed.
   *
   * @default half of `maxConnections`, rounded up
   */
  maxConnectionsPerAddress?: number;
  /**
   * Maximum number of concurrent requests from one address, or one /64 of IPv6; a further request gets 503.
   *
   * @default 512
   */
  maxRequestsPerAddress?: number;
  /**
   * Largest request head, in bytes of its target, header names and header values.
   *
   * @default 32_768
   */
  maxHeadBytes?: number;
  /**
   * Time for a request head to arrive, from the start of the connection or the first byte of the head; in milliseconds.
   *
   * @default 10_000
   */
  headTimeoutMs?: number;
  /**
   * Time that a connection may stay idle between two requests, in milliseconds; proxies in front should use less.
   *
   * @default 10_000
   */
  idleTimeoutMs?: number;
}

import type { CanActivate, ExceptionFilter, NestInterceptor, Type } from '@nestjs/common';

/**
 * The server's endpoint in the app's own HTTP server.
 *
 * @publicApi
 */
export interface McpHttpOptions {
  /** Guards of this endpoint (classes or instances); they run before the body is read. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Interceptors of this endpoint (classes or instances). */
  interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Exception filters of this endpoint (classes or instances); they do not get errors of the protocol. */
  filters?: readonly (Type<ExceptionFilter> | ExceptionFilter)[];
  /**
   * Origins that browsers may call from: hosts (`app.example.com`, `localhost:5173`), whole origins, `loopback` or `*`.
   *
   * @default ['loopback']
   */
  allowedOrigins?: readonly string[];
  /** Host names that requests may be addressed to, in the same form. If omitted, the Host header is not checked. */
  allowedHosts?: readonly string[];
  /**
   * Largest request body, in bytes.
   *
   * @default 2_000_000
   */
  maxBodyBytes?: number;
  /**
   * Total size of incomplete bodies in memory, in bytes; one caller may use half of it.
   *
   * @default 67_108_864, or twice the largest `maxBodyBytes` where that is more
   */
  maxPendingBodyBytes?: number;
  /**
   * Time for a whole body to arrive, in milliseconds.
   *
   * @default 10_000
   */
  bodyTimeoutMs?: number;
  /**
   * Longest pause between two parts of a body, in milliseconds.
   *
   * @default 5_000
   */
  readTimeoutMs?: number;
  /**
   * Whether bodies without a Content-Length are read (within the same limits) or refused with 411.
   *
   * @default 'accept'
   */
  chunkedBodies?: 'accept' | 'refuse';
  /**
   * Interval of keep-alive comments on an open stream, in milliseconds; shorter than the idle limit of your proxies.
   *
   * @default 15_000
   */
  keepAliveMs?: number;
  /**
   * Time for which a client may not read a pending response before its connection is closed, in milliseconds.
   *
   * @default 5_000
   */
  writeTimeoutMs?: number;
  /**
   * For hosts that do not report when a client disconnects: a call that is silent for this time in milliseconds becomes
   * a stream with keep-alive comments, whose writes fail after the client left. Not needed on Node.js.
   *
   * @default off
   */
  disconnectProbeMs?: number;
}

import type { CanActivate, ExceptionFilter, NestInterceptor, Type } from '@nestjs/common';

/**
 * The server's endpoint in the app's own HTTP server.
 *
 * @publicApi
 */
export interface McpHttpOptions {
  /** Guards of this endpoint, classes or instances; they run before the first byte of the body is read. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Interceptors of this endpoint, classes or instances. */
  interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Exception filters of this endpoint, classes or instances; refusals of the protocol do not reach them. */
  filters?: readonly (Type<ExceptionFilter> | ExceptionFilter)[];
  /**
   * Where browsers may call from: hosts (`app.example.com`), with port (`localhost:5173`), whole origins, `loopback` or `*`.
   *
   * @default ['loopback']
   */
  allowedOrigins?: readonly string[];
  /** Host names that requests may be addressed to, in the same form; left out, the Host header is not checked. */
  allowedHosts?: readonly string[];
  /**
   * Largest body, in bytes.
   *
   * @default 2_000_000
   */
  maxBodyBytes?: number;
  /**
   * Bodies that are held while the rest of them arrives, all together, in bytes; one caller has half of it.
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
   * Longest pause between two pieces of a body, in milliseconds.
   *
   * @default 5_000
   */
  readTimeoutMs?: number;
  /**
   * Whether bodies without a Content-Length are read (within the same limits) or answered with 411.
   *
   * @default 'accept'
   */
  chunkedBodies?: 'accept' | 'refuse';
  /**
   * Pause between two signs of life on an open stream, in milliseconds; proxies cut what is silent for longer than theirs.
   *
   * @default 15_000
   */
  keepAliveMs?: number;
  /**
   * How long a client may take nothing of an answer that is there, before its connection is closed; in milliseconds.
   *
   * @default 5_000
   */
  writeTimeoutMs?: number;
  /**
   * For hosts that do not reveal when a client leaves: a call that is silent for so many milliseconds becomes a stream with
   * signs of life, which fail when nobody is there. Node.js reveals it, so there it is not needed.
   *
   * @default off
   */
  disconnectProbeMs?: number;
}

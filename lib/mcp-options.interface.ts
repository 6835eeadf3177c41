import type { CanActivate, ExceptionFilter, NestInterceptor, Type } from '@nestjs/common';

import type { CacheHint } from './model/outcome.js';
import type { Icon } from './model/peer.js';

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
   * Time that running calls get when the app closes, in milliseconds.
   *
   * @default 5_000
   */
  drainTimeoutMs?: number;
}

/**
 * Who a caller is.
 *
 * @publicApi
 */
export interface McpAuthOptions {
  /**
   * Property of the request that a trusted guard or middleware fills; `user` for Passport. Headers and JSON never count.
   *
   * @default 'mcpAuth'
   */
  property?: string;
}

/**
 * Cache hints per result; what is left out is `{ ttlMs: 0, scope: 'private' }`.
 *
 * @publicApi
 */
export interface McpCacheOptions {
  discover?: Partial<CacheHint>;
  tools?: Partial<CacheHint>;
  prompts?: Partial<CacheHint>;
  resources?: Partial<CacheHint>;
  templates?: Partial<CacheHint>;
  read?: Partial<CacheHint>;
}

/**
 * Options of one MCP server.
 *
 * @publicApi
 */
export interface McpModuleOptions {
  /** Name of the server, for programs. */
  name: string;
  version: string;
  /** Name of the server, for people. */
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: readonly Icon[];
  /** What a model should know about the server as a whole. */
  instructions?: string;
  /**
   * Path of the endpoint, below the app's global prefix.
   *
   * @default '/mcp'
   */
  path?: string;
  /**
   * Protocol revisions that are spoken.
   *
   * @default ['2026-07-28']
   */
  protocols?: readonly string[];
  /** `false` for a server that is not reachable over the app's HTTP server. */
  http?: McpHttpOptions | false;
  auth?: McpAuthOptions;
  /**
   * Components on one page of a list.
   *
   * @default 100
   */
  pageSize?: number;
  cache?: McpCacheOptions;
}

/**
 * What has to be known before the options are made.
 *
 * @publicApi
 */
export interface McpModuleExtras {
  /**
   * Name of this server among those of the app; components choose it with their option `server`.
   *
   * @default 'default'
   */
  server?: string;
  /** Modules whose components belong to this server. */
  include?: readonly Type<unknown>[];
}

/**
 * Makes options, for `forRootAsync({ useClass })` and `forRootAsync({ useExisting })`.
 *
 * @publicApi
 */
export interface McpOptionsFactory {
  createMcpOptions(): McpModuleOptions | Promise<McpModuleOptions>;
}

import type { Type } from '@nestjs/common';

import type { McpPolicy } from '../dispatch/access/mcp-policy.js';
import type { Executor } from '../execution/executor.js';
import type { ExecutorOptions } from '../execution/executor-options.interface.js';
import type { CacheHint } from '../model/outcome.js';
import type { Icon } from '../model/peer.js';
import type { StateSealerOptions } from '../request-state/state-sealer-options.interface.js';
import type { ChangeBus } from '../subscriptions/change-bus.js';
import type { McpHttpOptions } from './mcp-http-options.interface.js';
import type { McpListenerOptions } from './mcp-listener-options.interface.js';

/**
 * Limits of what a server runs and holds for its clients.
 *
 * @publicApi
 */
export interface McpLimitOptions extends ExecutorOptions {
  /**
   * Time for a whole request in milliseconds, including the time in the queue; `Infinity` for no limit. Progress does
   * not extend it. The option `timeoutMs` of a component replaces it.
   *
   * @default 30_000
   */
  requestTimeoutMs?: number;
  /**
   * Time that running calls get when the app closes, on every transport; in milliseconds.
   *
   * @default 5_000
   */
  drainTimeoutMs?: number;
  /**
   * Maximum number of open subscriptions over HTTP, at the endpoint and the own listener together.
   *
   * @default 256
   */
  maxSubscriptions?: number;
  /**
   * Maximum number of open subscriptions of one caller.
   *
   * @default half of maxSubscriptions, rounded up
   */
  maxSubscriptionsPerOwner?: number;
  /**
   * Largest response as JSON, and largest log message to a client, in bytes. Anything larger is not sent and fails.
   *
   * @default 16_777_216
   */
  maxResultBytes?: number;
}

/**
 * How clients are notified of changes.
 *
 * @publicApi
 */
export interface McpSubscriptionOptions {
  /**
   * Maximum number of queued changes for one slow client; equal changes are queued once.
   *
   * @default 100
   */
  maxPendingChanges?: number;
  /**
   * Which change is dropped when the queue is full.
   *
   * @default 'drop-oldest'
   */
  overflow?: 'drop-oldest' | 'drop-newest';
  /**
   * Carries changes between the instances of the app.
   *
   * @default a bus within the process
   */
  bus?: ChangeBus;
  /**
   * Interval in milliseconds at which the resources of an open subscription are checked again for its caller: scopes
   * and roles, the policy, and guards of components. Resources that are refused then are no longer reported; a
   * subscription without any remaining resource or list ends. Each subscription holds its request for this check.
   *
   * resources are checked once, when the subscription opens
   */
  recheckMs?: number;
}

/**
 * How callers are identified, and what they may see and use.
 *
 * @publicApi
 */
export interface McpAuthOptions {
  /**
   * Property of the request that a trusted guard or middleware sets; `user` for Passport. Headers and JSON never count.
   *
   * @default 'mcpAuth'
   */
  property?: string;
  /**
   * Property of the request that a trusted guard or middleware sets to the client instance that sent it. Request ids
   * are unique within one instance of one caller, and `notifications/cancelled` ends the request with the given id.
   *
   * @default 'mcpCancellationScope'
   */
  cancellationScopeProperty?: string;
  /**
   * Decides who sees and uses which component: an instance, or a class that DI finds in any module or instantiates.
   *
   * what the app provides as `McpPolicy`, if anything
   */
  policy?: (abstract new (...args: never[]) => McpPolicy) | McpPolicy;
  /**
   * Time for one decision of the policy, in milliseconds.
   *
   * @default 5_000
   */
  policyTimeoutMs?: number;
  /**
   * Whether a caller who may not use a component gets the reason (`explain`), or the same answer as for a component
   * that does not exist (`conceal`). With `conceal`, a subscription confirms only resources that the caller may read.
   *
   * @default 'explain'
   */
  refusals?: 'explain' | 'conceal';
}

/**
 * Cache hints per result; the default of each is `{ ttlMs: 0, scope: 'private' }`.
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
 * How a call with questions to its client keeps its state between rounds. The client holds the state, sealed.
 *
 * @publicApi
 */
export interface McpRequestStateOptions extends Partial<StateSealerOptions> {
  /**
   * Identifies a caller by one string: only the caller for whom a state was sealed can use it.
   *
   * the authentication that a guard stored, if it is a string; else its `sub` and `iss`, its `id`, or all its data
   */
  principal?: (auth: unknown) => string | undefined;
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
   * Supported protocol revisions.
   *
   * @default ['2026-07-28']
   */
  protocols?: readonly string[];
  /** `false` for a server that is not reachable over the app's HTTP server. */
  http?: McpHttpOptions | false;
  /**
   * A separate HTTP server for this MCP server, which needs no HTTP framework.
   *
   * @default none
   */
  listener?: McpListenerOptions;
  auth?: McpAuthOptions;
  limits?: McpLimitOptions;
  /** Runs the work of several servers within common limits; its limits replace those of `limits`. */
  executor?: Executor;
  /** `false` for a server without change notices. */
  subscriptions?: McpSubscriptionOptions | false;
  /**
   * Number of components on one page of a list.
   *
   * @default 100
   */
  pageSize?: number;
  cache?: McpCacheOptions;
  requestState?: McpRequestStateOptions;
}

/**
 * Options that have to be known before the other options are created.
 *
 * @publicApi
 */
export interface McpModuleExtras {
  /**
   * Name of this server in the app; components choose it with their option `server`.
   *
   * @default 'default'
   */
  server?: string;
  /** Modules whose components belong to this server. */
  include?: readonly Type<unknown>[];
  /**
   * Whether `McpRegistry`, `McpNotifier` and `McpExecutor` can be injected in every module of the app, and not only in
   * modules that import this one.
   *
   * @default false
   */
  isGlobal?: boolean;
}

/**
 * Creates options, for `forRootAsync({ useClass })` and `forRootAsync({ useExisting })`.
 *
 * @publicApi
 */
export interface McpOptionsFactory {
  createMcpOptions(): McpModuleOptions | Promise<McpModuleOptions>;
}

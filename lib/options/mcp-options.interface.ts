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
 * How much a server runs and holds for its clients.
 *
 * @publicApi
 */
export interface McpLimitOptions extends ExecutorOptions {
  /**
   * Time for a whole request, waiting for its turn included, in milliseconds; `Infinity` for no limit. Progress does not
   * extend it. The option `timeoutMs` of a component replaces it.
   *
   * @default 30_000
   */
  requestTimeoutMs?: number;
  /**
   * Time that running calls get when the app closes, however they came, in milliseconds.
   *
   * @default 5_000
   */
  drainTimeoutMs?: number;
  /**
   * Subscriptions that may be open at once over HTTP, at the endpoint and the own listener together.
   *
   * @default 256
   */
  maxSubscriptions?: number;
  /**
   * Subscriptions of one caller that may be open at once.
   *
   * @default half of maxSubscriptions, rounded up
   */
  maxSubscriptionsPerOwner?: number;
  /**
   * Size of one answer as JSON, and of one log message to a client, in bytes. What is larger is not sent, and fails.
   *
   * @default 16_777_216
   */
  maxResultBytes?: number;
}

/**
 * How clients hear of changes.
 *
 * @publicApi
 */
export interface McpSubscriptionOptions {
  /**
   * How many changes wait for one client that reads slowly; equal changes wait once.
   *
   * @default 100
   */
  maxPendingChanges?: number;
  /**
   * Which change is lost when one more comes.
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
   * How long an open subscription goes on, in milliseconds, before its resources are judged again for its caller: scopes
   * and roles, the policy and guards of components. What is refused then is told of no more, and where nothing is left
   * the subscription ends. Until then each keeps its request.
   *
   * @default they are judged once, when it opens
   */
  recheckMs?: number;
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
  /**
   * Property of the request that a trusted guard or middleware fills with the client instance that sent it. Within one
   * instance of one caller ids are unique, and `notifications/cancelled` ends the request that it names.
   *
   * @default 'mcpCancellationScope'
   */
  cancellationScopeProperty?: string;
  /**
   * Decides who sees and uses which component: an instance, or a class that DI finds anywhere in the app or makes.
   *
   * @default what the app provides as `McpPolicy`, if anything
   */
  policy?: (abstract new (...args: never[]) => McpPolicy) | McpPolicy;
  /**
   * Time for one answer of the policy, in milliseconds.
   *
   * @default 5_000
   */
  policyTimeoutMs?: number;
  /**
   * Whether a caller who may not use a component hears why, or the same as if there were no such component. A subscription
   * then confirms only resources that exist and that the caller may read.
   *
   * @default 'explain'
   */
  refusals?: 'explain' | 'conceal';
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
 * How a call that asks its client keeps what it knows from one round to the next. It travels with the client, sealed.
 *
 * @publicApi
 */
export interface McpRequestStateOptions extends Partial<StateSealerOptions> {
  /**
   * Who a caller is, in one text: a state can be used by the caller alone for whom it was sealed.
   *
   * @default what a guard left about the caller, if it is a text; else its `sub` and `iss`, its `id`, or all that it holds
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
   * Protocol revisions that are spoken.
   *
   * @default ['2026-07-28']
   */
  protocols?: readonly string[];
  /** `false` for a server that is not reachable over the app's HTTP server. */
  http?: McpHttpOptions | false;
  /**
   * An HTTP server of this MCP server's own, which needs no HTTP framework.
   *
   * @default none
   */
  listener?: McpListenerOptions;
  auth?: McpAuthOptions;
  limits?: McpLimitOptions;
  /** Runs the work of several servers within common bounds; its own limits replace those of `limits`. */
  executor?: Executor;
  /** `false` for a server without change notices. */
  subscriptions?: McpSubscriptionOptions | false;
  /**
   * Components on one page of a list.
   *
   * @default 100
   */
  pageSize?: number;
  cache?: McpCacheOptions;
  requestState?: McpRequestStateOptions;
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
  /**
   * Whether `McpRegistry`, `McpNotifier` and `McpExecutor` can be injected in every module of the app; otherwise in those
   * that import this one.
   *
   * @default false
   */
  isGlobal?: boolean;
}

/**
 * Makes options, for `forRootAsync({ useClass })` and `forRootAsync({ useExisting })`.
 *
 * @publicApi
 */
export interface McpOptionsFactory {
  createMcpOptions(): McpModuleOptions | Promise<McpModuleOptions>;
}

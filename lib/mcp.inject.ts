import { Inject } from '@nestjs/common';

import { Executor } from './execution/executor.js';
import { tokenOf, type ServerPart } from './mcp.constants.js';
import { McpServer } from './mcp.server.js';
import { McpHealthIndicator } from './observability/mcp-health.indicator.js';
import { McpMetrics } from './observability/mcp-metrics.js';
import { McpRegistry } from './registry/runtime/mcp-registry.js';
import { McpNotifier } from './subscriptions/mcp-notifier.js';

/**
 * Classes of which each server of the app has one instance.
 *
 * @publicApi
 */
export type McpInjectable =
  | typeof McpServer
  | typeof McpRegistry
  | typeof McpNotifier
  | typeof Executor
  | typeof McpMetrics
  | typeof McpHealthIndicator;

const PARTS: ReadonlyMap<McpInjectable, ServerPart> = new Map<McpInjectable, ServerPart>([
  [McpServer, 'McpServer'],
  [McpRegistry, 'McpRegistry'],
  [McpNotifier, 'McpNotifier'],
  [Executor, 'McpExecutor'],
  [McpMetrics, 'McpMetrics'],
  [McpHealthIndicator, 'McpHealthIndicator'],
]);

/** All these classes. */
export const INJECTABLES: readonly McpInjectable[] = [...PARTS.keys()];

/**
 * Token of a server's instance of a class: `getMcpToken(McpRegistry, 'admin')`; `server` defaults to `default`.
 *
 * @throws TypeError for another class.
 * @publicApi
 */
export function getMcpToken(type: McpInjectable, server?: string): string {
  const part = PARTS.get(type);
  if (part === undefined)
    throw new TypeError(`A server has no instance of this class. It has ${[...PARTS.values()].join(', ')}.`);
  return tokenOf(part, server);
}

/**
 * Injects a server's instance of a class: `@InjectMcp(McpRegistry, 'admin')`; `server` defaults to `default`.
 *
 * @throws TypeError for another class.
 * @publicApi
 */
export function InjectMcp(type: McpInjectable, server?: string): ReturnType<typeof Inject> {
  return Inject(getMcpToken(type, server));
}

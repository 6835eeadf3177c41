import { Inject } from '@nestjs/common';

import { DEFAULT_SERVER } from '../mcp.constants.js';

/** Token of a server's registry: a string, so that two copies of the package agree. */
export const getMcpRegistryToken = (server: string = DEFAULT_SERVER): string => `McpRegistry:${server}`;

/** Token of a server's notifier. */
export const getMcpNotifierToken = (server: string = DEFAULT_SERVER): string => `McpNotifier:${server}`;

/** Token of a server's executor. */
export const getMcpExecutorToken = (server: string = DEFAULT_SERVER): string => `McpExecutor:${server}`;

/** Token of a server's metrics. */
export const getMcpMetricsToken = (server: string = DEFAULT_SERVER): string => `McpMetrics:${server}`;

/** Token of a server's health indicator. */
export const getMcpHealthToken = (server: string = DEFAULT_SERVER): string => `McpHealthIndicator:${server}`;

/** Token of a server itself. */
export const getMcpServerToken = (server: string = DEFAULT_SERVER): string => `McpServer:${server}`;

/**
 * Injects a {@link McpServer}.
 *
 * @publicApi
 */
export function InjectMcpServer(server?: string): ReturnType<typeof Inject> {
  return Inject(getMcpServerToken(server));
}

/**
 * Injects the {@link McpRegistry} of a server.
 *
 * @publicApi
 */
export function InjectMcpRegistry(server?: string): ReturnType<typeof Inject> {
  return Inject(getMcpRegistryToken(server));
}

/**
 * Injects the {@link McpNotifier} of a server.
 *
 * @publicApi
 */
export function InjectMcpNotifier(server?: string): ReturnType<typeof Inject> {
  return Inject(getMcpNotifierToken(server));
}

/**
 * Injects what bounds and counts the calls of a server.
 *
 * @publicApi
 */
export function InjectMcpExecutor(server?: string): ReturnType<typeof Inject> {
  return Inject(getMcpExecutorToken(server));
}

/**
 * Injects the {@link McpMetrics} of a server.
 *
 * @publicApi
 */
export function InjectMcpMetrics(server?: string): ReturnType<typeof Inject> {
  return Inject(getMcpMetricsToken(server));
}

/**
 * Injects the {@link McpHealthIndicator} of a server.
 *
 * @publicApi
 */
export function InjectMcpHealth(server?: string): ReturnType<typeof Inject> {
  return Inject(getMcpHealthToken(server));
}

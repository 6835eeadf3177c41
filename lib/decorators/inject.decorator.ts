import { Inject } from '@nestjs/common';

import { DEFAULT_SERVER } from '../mcp.constants.js';

/** Token of a server's registry: a string, so that two copies of the package agree. */
export const getMcpRegistryToken = (server: string = DEFAULT_SERVER): string => `McpRegistry:${server}`;

/** Token of a server's notifier. */
export const getMcpNotifierToken = (server: string = DEFAULT_SERVER): string => `McpNotifier:${server}`;

/** Token of a server's executor. */
export const getMcpExecutorToken = (server: string = DEFAULT_SERVER): string => `McpExecutor:${server}`;

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

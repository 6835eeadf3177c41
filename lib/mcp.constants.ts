/** Metadata keys: strings, so that two copies of the package agree. */
export const COMPONENT_METADATA = 'mcp:components';
export const DESCRIBE_METADATA = 'mcp:describe';
export const OPEN_OBJECT_METADATA = 'mcp:open-object';
export const ACCESS_METADATA = 'mcp:access';
export const NOT_FOR_LISTING_METADATA = 'mcp:not-for-listing';
export const CACHE_DECISION_METADATA = 'mcp:cache-decision';

/** Injection tokens. */
export const MCP_OPTIONS = Symbol.for('MCP_OPTIONS');
export const MCP_FEATURE = Symbol.for('MCP_FEATURE');

/** The server that a component without `server` belongs to. */
export const DEFAULT_SERVER = 'default';
export const MCP_SCOPE = Symbol.for('MCP_SCOPE');
export const MCP_CONTROLLER = Symbol.for('MCP_CONTROLLER');
export const MCP_SETTINGS = Symbol.for('MCP_SETTINGS');

/** Milliseconds; with a longer delay, timers of Node.js fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** The providers of which each server has one. */
export type ServerPart =
  | 'McpServer'
  | 'McpRegistry'
  | 'McpNotifier'
  | 'McpExecutor'
  | 'McpMetrics'
  | 'McpHealthIndicator';

/** Injection token of a part of a server: a string, so that two copies of the package agree. */
export const tokenOf = (part: ServerPart, server: string = DEFAULT_SERVER): string => `${part}:${server}`;

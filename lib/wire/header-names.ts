/** Lower case, as Node keys incoming headers. */
export const MCP_PROTOCOL_VERSION = 'mcp-protocol-version';
export const MCP_METHOD = 'mcp-method';
export const MCP_NAME = 'mcp-name';
export const MCP_PARAM_PREFIX = 'mcp-param-';
export const MCP_SESSION_ID = 'mcp-session-id';
export const LAST_EVENT_ID = 'last-event-id';

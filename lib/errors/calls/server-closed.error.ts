import { McpError } from '../mcp.error.js';

/**
 * A server was called, or still ran a call, when its app had closed.
 *
 * @publicApi
 */
export class ServerClosedError extends McpError {
  constructor() {
    super('MCP_SERVER_CLOSED', 'The app of this MCP server has closed.');
  }
}

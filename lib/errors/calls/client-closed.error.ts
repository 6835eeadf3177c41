import { McpError } from '../mcp.error.js';

/**
 * A client was used, or still waited for an answer, when it was closed.
 *
 * @publicApi
 */
export class ClientClosedError extends McpError {
  constructor() {
    super('MCP_CLIENT_CLOSED', 'This MCP client is closed. Connect a new one.');
  }
}

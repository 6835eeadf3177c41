import { McpError } from './mcp.error.js';

/**
 * A decorator was used in a way that cannot work; the message names the class, the method and the fix.
 *
 * @publicApi
 */
export class InvalidComponentError extends McpError {
  constructor(owner: string, reason: string) {
    super('MCP_INVALID_COMPONENT', `${owner}: ${reason}`);
  }
}

import { McpError } from './mcp.error.js';

/**
 * A decorator was used in a way that cannot work; the message names class, method and cure.
 *
 * @publicApi
 */
export class InvalidComponentError extends McpError {
  constructor(owner: string, reason: string) {
    super('MCP_INVALID_COMPONENT', `${owner}: ${reason}`);
  }
}

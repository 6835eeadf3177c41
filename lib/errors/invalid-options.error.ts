import { McpError } from './mcp.error.js';

/**
 * The module options are invalid or contradict each other; the message names the option and the fix.
 *
 * @publicApi
 */
export class InvalidOptionsError extends McpError {
  constructor(option: string, reason: string) {
    super('MCP_INVALID_OPTIONS', `Option "${option}" of McpModule: ${reason}`);
  }
}

import { McpError } from './mcp.error.js';

/**
 * Module options that do not add up; the message names the option and the cure.
 *
 * @publicApi
 */
export class InvalidOptionsError extends McpError {
  constructor(option: string, reason: string) {
    super('MCP_INVALID_OPTIONS', `Option "${option}" of McpModule: ${reason}`);
  }
}

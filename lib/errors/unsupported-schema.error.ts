import { McpError } from './mcp.error.js';

/**
 * A schema cannot be advertised to clients, or cannot be enforced as advertised; the message names the reason and the fix.
 *
 * @publicApi
 */
export class UnsupportedSchemaError extends McpError {
  /** `reason` continues a sentence that begins with the name of a component, and includes the fix. */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('MCP_UNSUPPORTED_SCHEMA', reason, options);
  }
}

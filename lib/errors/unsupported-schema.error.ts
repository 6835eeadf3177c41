import { McpError } from './mcp.error.js';

/**
 * A schema cannot be advertised to clients, or not enforced as advertised; the message says why and what to do.
 *
 * @publicApi
 */
export class UnsupportedSchemaError extends McpError {
  /** `reason` reads on from the name of a component and includes the cure. */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('MCP_UNSUPPORTED_SCHEMA', reason, options);
  }
}

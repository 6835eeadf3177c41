import { McpError } from '../mcp.error.js';

/**
 * What a server answered to a request in place of a result.
 *
 * @publicApi
 */
export class McpRequestError extends McpError {
  constructor(
    /** The JSON-RPC error code. */
    readonly rpcCode: number,
    message: string,
    /** Whatever the server added. */
    readonly data?: unknown,
  ) {
    super('MCP_REQUEST_REFUSED', message);
  }
}

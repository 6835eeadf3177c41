import { McpError } from '../mcp.error.js';

/**
 * A server was called before its app had started.
 *
 * @publicApi
 */
export class ServerNotReadyError extends McpError {
  constructor() {
    super(
      'MCP_SERVER_NOT_READY',
      'The app of this MCP server has not started yet. Call it after app.init() or app.listen(), or await moduleRef.init() in a test.',
    );
  }
}

import { McpError } from './mcp.error.js';

/**
 * A path from a client would leave its root directory, or cannot be told from one that does. The message names
 * neither the value nor the root, so it may reach a client.
 *
 * @publicApi
 */
export class UnsafePathError extends McpError {
  constructor(problem: string) {
    super('MCP_UNSAFE_PATH', `The path is refused: ${problem}.`);
  }
}

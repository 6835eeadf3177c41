import { McpError } from './mcp.error.js';

const UNSAFE_PATH = 'MCP_UNSAFE_PATH';

/**
 * A path from a client leaves its root directory, or may leave it. The message contains neither the value nor the root,
 * so it may reach a client.
 *
 * @publicApi
 */
export class UnsafePathError extends McpError {
  constructor(problem: string) {
    super(UNSAFE_PATH, `The path is refused: ${problem}.`);
  }

  /** Recognises errors of other copies of this package too. */
  static is(error: unknown): error is UnsafePathError {
    return (error as Partial<McpError> | null | undefined)?.code === UNSAFE_PATH;
  }
}

import { McpError } from '../../errors/mcp.error.js';

/** A handler returned a value that is not valid for its kind of component. */
export class ResultError extends McpError {
  constructor(reason: string) {
    super('MCP_RESULT', reason);
  }
}

import { McpError } from '../../errors/mcp.error.js';

/** A handler returned something that its kind of component cannot answer with. */
export class ResultError extends McpError {
  constructor(reason: string) {
    super('MCP_RESULT', reason);
  }
}

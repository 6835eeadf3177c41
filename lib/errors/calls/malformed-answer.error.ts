import { McpError } from '../mcp.error.js';

/**
 * A server answered with what the protocol does not allow.
 *
 * @publicApi
 */
export class MalformedAnswerError extends McpError {
  constructor(what: string) {
    super('MCP_MALFORMED_ANSWER', `The server broke the protocol: ${what}.`);
  }
}

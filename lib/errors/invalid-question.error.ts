import { McpError } from './mcp.error.js';

/**
 * A question to the client is invalid: a form that clients cannot show, a bad URL, or an inconsistent sequence of
 * messages. The message names the place and the fix.
 *
 * @publicApi
 */
export class InvalidQuestionError extends McpError {
  constructor(question: string, reason: string, options?: ErrorOptions) {
    super('MCP_INVALID_QUESTION', `${question}: ${reason}`, options);
  }
}

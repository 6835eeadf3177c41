import { McpError } from './mcp.error.js';

/**
 * A question to the client that cannot be asked: a form that no client could show, a bad URL, or messages that do not
 * fit together. The message names the place and the cure.
 *
 * @publicApi
 */
export class InvalidQuestionError extends McpError {
  constructor(question: string, reason: string, options?: ErrorOptions) {
    super('MCP_INVALID_QUESTION', `${question}: ${reason}`, options);
  }
}

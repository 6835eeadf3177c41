import { McpError } from './mcp.error.js';

const SHOWN_CHARACTERS = 200;

/**
 * A URI template is outside the supported subset of RFC 6570. The message names the unsupported expression and its replacement.
 *
 * @publicApi
 */
export class InvalidUriTemplateError extends McpError {
  constructor(
    readonly template: string,
    problem: string,
    cure: string,
  ) {
    const shown = template.length > SHOWN_CHARACTERS ? `${template.slice(0, SHOWN_CHARACTERS)}…` : template;
    super('MCP_INVALID_URI_TEMPLATE', `The URI template "${shown}" ${problem}. ${cure}.`);
  }
}

import { McpError } from '../errors/mcp.error.js';

/** A handler wants to seal more than a client should carry; the message tells sizes and never the content. */
export class StateTooLargeError extends McpError {
  constructor(
    /** What the token would take. */
    readonly bytes: number,
    readonly maxBytes: number,
  ) {
    super(
      'MCP_STATE_TOO_LARGE',
      `The request state would be ${bytes} bytes when sealed, and may be ${maxBytes} at most. ` +
        'Keep large data on the server, and put into the state what finds it again.',
    );
  }
}

import { McpError } from '../errors/mcp.error.js';

/** The state of a handler exceeds the maximum size of a token; the message contains sizes but never the content. */
export class StateTooLargeError extends McpError {
  constructor(
    /** Size that the token would have. */
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

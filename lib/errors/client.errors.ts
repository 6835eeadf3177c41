import { McpError } from './mcp.error.js';

/**
 * A server answered a request with a JSON-RPC error.
 *
 * @publicApi
 */
export class McpRequestError extends McpError {
  constructor(
    /** The JSON-RPC error code. */
    readonly rpcCode: number,
    message: string,
    /** The `data` of the error, if the server sent any. */
    readonly data?: unknown,
  ) {
    super('MCP_REQUEST_REFUSED', message);
  }
}

/**
 * A server sent an answer that the protocol does not allow.
 *
 * @publicApi
 */
export class MalformedAnswerError extends McpError {
  constructor(what: string) {
    super('MCP_MALFORMED_ANSWER', `The server broke the protocol: ${what}.`);
  }
}

/**
 * A client was used, or still waited for an answer, when it was closed.
 *
 * @publicApi
 */
export class ClientClosedError extends McpError {
  constructor() {
    super('MCP_CLIENT_CLOSED', 'This MCP client is closed. Connect a new one.');
  }
}

/**
 * A server was called, or still ran a call, when its app had closed.
 *
 * @publicApi
 */
export class ServerClosedError extends McpError {
  constructor() {
    super('MCP_SERVER_CLOSED', 'The app of this MCP server has closed.');
  }
}

/**
 * A server was called before its app had started.
 *
 * @publicApi
 */
export class ServerNotReadyError extends McpError {
  constructor() {
    super(
      'MCP_SERVER_NOT_READY',
      'The app of this MCP server has not started yet. Call it after app.init() or app.listen(), or await moduleRef.init() in a test.',
    );
  }
}

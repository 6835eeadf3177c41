import { McpError } from './mcp.error.js';

const BRAND = Symbol.for('nestjs-mcp.protocol-error');

/**
 * Answers a request with exactly this JSON-RPC error when a handler, guard or interceptor throws it.
 *
 * @publicApi
 */
export class McpProtocolError extends McpError {
  constructor(
    /** The JSON-RPC error code; codes of your own lie outside -32768 to -32000. */
    readonly rpcCode: number,
    message: string,
    readonly data?: unknown,
  ) {
    super('MCP_PROTOCOL', message);
    if (!Number.isSafeInteger(rpcCode)) {
      throw new TypeError('The code of an McpProtocolError must be an integer.');
    }
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Recognises errors of other copies of this package too. */
  static is(error: unknown): error is McpProtocolError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }
}

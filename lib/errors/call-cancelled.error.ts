import { McpError } from './mcp.error.js';

/** Why a call was cancelled. */
export type CancelReason = 'client-gone' | 'cancelled' | 'deadline' | 'shutdown' | 'interceptor';

const MESSAGES: Readonly<Record<CancelReason, string>> = {
  'client-gone': 'The client has gone.',
  cancelled: 'The client cancelled the call.',
  deadline: 'The call took longer than it may.',
  shutdown: 'The server is shutting down.',
  interceptor: 'An interceptor has ended the call before its handler did.',
};

/**
 * Reason of an aborted `signal`: tells a handler why its call was cancelled.
 *
 * @publicApi
 */
export class CallCancelledError extends McpError {
  constructor(readonly reason: CancelReason) {
    super('MCP_CALL_CANCELLED', MESSAGES[reason]);
  }
}

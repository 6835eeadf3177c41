import { HttpException, HttpStatus } from '@nestjs/common';

import { McpProtocolError } from '../errors/mcp-protocol.error.js';
import { nameParts, type LimitedCall } from './called-component.js';

/**
 * A limit refused the call of a tool; filters see a 429, and the agent reads when to try again.
 *
 * @publicApi
 */
export class TooManyCallsError extends HttpException {
  constructor(
    message: string,
    /** Milliseconds after which another call may be accepted. */
    readonly retryAfterMs: number,
  ) {
    super(message, HttpStatus.TOO_MANY_REQUESTS);
  }
}

/** A tool's result can carry the error to its model; other methods answer with a JSON-RPC error that has data. */
export function tooManyCalls(
  call: Pick<LimitedCall, 'component'>,
  reason: string,
  retryAfterMs: number,
): TooManyCallsError | McpProtocolError {
  const message = `${reason} Try again in ${secondsOf(retryAfterMs)} s.`;
  return nameParts(call)[0] === 'tool'
    ? new TooManyCallsError(message, retryAfterMs)
    : new McpProtocolError(HttpStatus.TOO_MANY_REQUESTS, message, { retryAfterMs });
}

export function secondsOf(ms: number): number {
  return Math.max(Math.ceil(ms / 1_000), 1);
}

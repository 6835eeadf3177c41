import type { McpContext } from './mcp-context.js';

/** Place of the call among the arguments of an execution context of type `'mcp'`, behind request and response. */
export const CALL_INDEX = 2;

/** The part of a running call that parameter decorators read. */
export interface CallArguments {
  readonly context: McpContext;
}

import { McpError } from '../errors/mcp.error.js';
import type { Fault } from '../model/fault.js';

export type HeaderMismatch = Extract<Fault, { kind: 'header-mismatch' }>;

/** Ends a call whose headers and body tell different things; it never reaches exception filters. */
export class HeaderMismatchError extends McpError {
  constructor(readonly fault: HeaderMismatch) {
    super('MCP_HEADER_MISMATCH', fault.message);
  }
}

/**
 * Entry point for programs that their client starts.
 *
 * @module nestjs-mcp/stdio
 */
export { serveStdio } from './serve-stdio.js';
export type { StdioOptions } from './stdio-options.interface.js';

/**
 * What a program imports that its client starts.
 *
 * @module nestjs-mcp/stdio
 */
export { serveStdio } from './serve-stdio.js';
export type { StdioOptions } from './stdio-options.interface.js';

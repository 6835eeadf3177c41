export { serveStdio } from './serve-stdio.js';
export type { StdioOptions } from './stdio-options.interface.js';

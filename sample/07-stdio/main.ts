import { fileURLToPath } from 'node:url';

import { serveStdio } from 'nestjs-mcp/stdio';

import { connectionHints } from './connection-hints.js';

// Who starts the process says who calls: there is nobody else at the other end of the pipe.
const { NOTES_OWNER: owner = 'somebody' } = process.env;

await serveStdio(() => import('./app.module.js'), { auth: { sub: owner } });
// A client sees none of it: whatever is written to stdout goes to stderr.
console.log(connectionHints(fileURLToPath(import.meta.url)));

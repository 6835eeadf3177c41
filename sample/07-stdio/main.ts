import { serveStdio } from 'nestjs-mcp/stdio';

// The caller is the user who starts the process; a pipe has no other client.
const { NOTES_OWNER: owner = 'somebody' } = process.env;

await serveStdio(() => import('./app.module.js'), { auth: { sub: owner } });

import { serveStdio } from 'nestjs-mcp/stdio';

// Who starts the process says who calls: there is nobody else at the other end of the pipe.
const { NOTES_OWNER: owner = 'somebody' } = process.env;

await serveStdio(() => import('./app.module.js'), { auth: { sub: owner } });

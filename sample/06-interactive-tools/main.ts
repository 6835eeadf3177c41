import { NestFactory } from '@nestjs/core';

import { AppModule } from './app.module.js';
import { connectionHints } from './connection-hints.js';

const app = await NestFactory.create(AppModule);
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
console.log(connectionHints(`${await app.getUrl()}/mcp`));

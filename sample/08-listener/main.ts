import { NestFactory } from '@nestjs/core';
import { McpServer } from 'nestjs-mcp';

import { AppModule } from './app.module.js';

// No Express, no Fastify: the listener accepts requests when this returns.
const app = await NestFactory.createApplicationContext(AppModule);
app.enableShutdownHooks();
console.log(`MCP endpoint: ${app.get(McpServer).listenerUrl}`);

import { NestFactory } from '@nestjs/core';
import { McpNestModule, serve } from './mcp-nest.module.mjs';

const app = await NestFactory.create(McpNestModule, { logger: false });
app.useBodyParser('json', { limit: '2mb' });
await serve(app);

import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpNotifier } from '../../../.build/benchmark/index.js';
import { announce } from '../measure/probe.mjs';
import { ToolsModule } from './tools.module.mjs';

const app = await NestFactory.create(ToolsModule.at(), new FastifyAdapter(), { logger: false, abortOnError: false });
await app.listen(0, '127.0.0.1');
const notifier = app.get(McpNotifier, { strict: false });
announce(app.getHttpServer().address().port, () => notifier.toolsChanged());

import { NestFactory } from '@nestjs/core';
import { McpNotifier, McpServer } from '../../../.build/benchmark/index.js';
import { announce } from '../measure/probe.mjs';
import { ToolsModule } from './tools.module.mjs';

const app = await NestFactory.createApplicationContext(ToolsModule, { logger: false, abortOnError: false });
const notifier = app.get(McpNotifier, { strict: false });
const { port } = new URL(app.get(McpServer, { strict: false }).listenerUrl);
announce(Number(port), () => notifier.toolsChanged());

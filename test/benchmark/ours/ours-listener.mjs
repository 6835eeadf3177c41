import { NestFactory } from '@nestjs/core';
import { McpNotifier, McpServer } from '../../../.build/benchmark/index.js';
import { announce } from '../measure/probe.mjs';
import { EveryoneGuard, ToolsModule } from './tools.module.mjs';

const listener = { port: 0, guards: [EveryoneGuard] };
const app = await NestFactory.createApplicationContext(ToolsModule.at({ http: false, listener }), {
  logger: false,
  abortOnError: false,
});
const notifier = app.get(McpNotifier, { strict: false });
const { port } = new URL(app.get(McpServer, { strict: false }).listenerUrl);
announce(Number(port), () => notifier.toolsChanged());

import { NestFactory } from '@nestjs/core';
import { announce } from '../measure/probe.mjs';
import { ToolsModule } from './tools.module.mjs';

const app = await NestFactory.create(ToolsModule, { logger: false });
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer().address().port);

import { NestFactory } from '@nestjs/core';
import { announce } from '../measure/probe.mjs';
import { GuardedPlainModule } from './guarded.module.mjs';

const app = await NestFactory.create(GuardedPlainModule, { logger: false, abortOnError: false });
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer().address().port);

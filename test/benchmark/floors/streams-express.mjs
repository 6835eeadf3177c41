import { NestFactory } from '@nestjs/core';
import { announce } from '../measure/probe.mjs';
import { StreamsModule } from './streams.module.mjs';

const app = await NestFactory.create(StreamsModule, { logger: false });
app.useBodyParser('json', { limit: '2mb' });
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer().address().port);

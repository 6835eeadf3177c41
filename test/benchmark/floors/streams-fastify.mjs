import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { announce } from '../measure/probe.mjs';
import { StreamsModule } from './streams.module.mjs';

const app = await NestFactory.create(StreamsModule, new FastifyAdapter({ bodyLimit: 2_000_000 }), { logger: false });
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer().address().port);

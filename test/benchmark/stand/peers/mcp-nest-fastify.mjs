import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpNestModule, serve } from './mcp-nest.module.mjs';

await serve(await NestFactory.create(McpNestModule, new FastifyAdapter({ bodyLimit: 2_000_000 }), { logger: false }));

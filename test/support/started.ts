import type { INestApplicationContext, ModuleMetadata, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { McpModule, type McpModuleExtras, type McpModuleOptions } from '../../lib/index.js';

/** A module with one server that no HTTP server reaches, for what is decided before the first request. */
export function moduleOf(
  metadata: ModuleMetadata,
  options: Partial<McpModuleOptions & McpModuleExtras> = {},
): Type<unknown> {
  @Module({
    ...metadata,
    imports: [
      McpModule.forRoot({ name: 'started', version: '1.0.0', http: false, ...options }),
      ...(metadata.imports ?? []),
    ],
  })
  class StartedModule {}
  return StartedModule;
}

/** Starts without HTTP. */
export function start(module: Type<unknown>): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
}

/** The message with which an app refuses to start. */
export async function refusal(module: Type<unknown>): Promise<Error> {
  let app: INestApplicationContext;
  try {
    app = await start(module);
  } catch (error) {
    return error as Error;
  }
  await app.close();
  throw new Error('The app started.');
}

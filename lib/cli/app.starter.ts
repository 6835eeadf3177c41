import { pathToFileURL } from 'node:url';

import type { DynamicModule, INestApplicationContext, LoggerService, Type } from '@nestjs/common';
import type * as Nest from '@nestjs/core';

import { CommandError } from './command.error.js';
import { resolveFrom } from './nest-copies.js';

/** HTTP frameworks, the most common one first. */
export const PLATFORMS = ['express', 'fastify'] as const;

/** An HTTP framework that an app may run on. */
export type Platform = (typeof PLATFORMS)[number];

/** The module of an app, and how to start it. */
export interface AppSource {
  /** Packages are resolved from this file, not from this command. */
  readonly file: string;
  readonly module: Type<unknown> | DynamicModule;
  readonly platform: Platform | undefined;
  readonly logger: LoggerService;
}

/** An app that has started without listening on a port. */
export interface StartedApp {
  readonly app: INestApplicationContext;
  readonly modules: Nest.ModulesContainer;
}

type AdapterClass = new () => Nest.AbstractHttpAdapter;

const ADAPTERS = { express: 'ExpressAdapter', fastify: 'FastifyAdapter' } as const;

/**
 * Starts an app without opening a port.
 *
 * @throws CommandError, or the error that prevented the start.
 */
export async function startApp({ file, module, platform, logger }: AppSource): Promise<StartedApp> {
  const nest = await loadFrom<typeof Nest>(file, '@nestjs/core');
  if (nest === undefined) throw new CommandError(`No @nestjs/core can be found from ${file}. Install it.`);
  const { NestFactory, ModulesContainer } = nest;
  const options = { logger, abortOnError: false };
  const adapter = await createAdapter(file, platform);
  // Without an HTTP framework, the app serves nothing over HTTP.
  const app =
    adapter === undefined
      ? await NestFactory.createApplicationContext(module, options)
      : await (await NestFactory.create(module, adapter, options)).init();
  return { app, modules: app.get<Nest.ModulesContainer>(ModulesContainer) };
}

/** The app chooses its framework in its `main.ts`, which does not run here. */
async function createAdapter(
  file: string,
  platform: Platform | undefined,
): Promise<Nest.AbstractHttpAdapter | undefined> {
  for (const candidate of platform === undefined ? PLATFORMS : [platform]) {
    const name = `@nestjs/platform-${candidate}`;
    const found = (await loadFrom<Readonly<Record<string, AdapterClass>>>(file, name))?.[ADAPTERS[candidate]];
    if (found !== undefined) return new found();
    if (platform !== undefined) throw new CommandError(`No ${name} can be found from ${file}. Install it.`);
  }
  return undefined;
}

async function loadFrom<T>(file: string, name: string): Promise<T | undefined> {
  const path = resolveFrom(file, name);
  return path === undefined ? undefined : ((await import(pathToFileURL(path).href)) as T);
}

import { pathToFileURL } from 'node:url';

import type { DynamicModule, INestApplicationContext, NestApplicationOptions, Type } from '@nestjs/common';
import type * as Nest from '@nestjs/core';

import type { Finding } from '../boot-audit/audit-check.js';
import { REPORTS_SERVER, type ServerReport, type ServerReporter } from '../boot-audit/server-report.js';
import { CommandError } from './command.error.js';
import { loadAppModule } from './module.loader.js';
import { findNestCopies, resolveFrom } from './nest-copies.js';
import { WarningCollector } from './warning.collector.js';

export interface Inspection {
  readonly servers: readonly ServerReport[];
  readonly findings: readonly Finding[];
}

type HttpAdapterClass = new () => Nest.AbstractHttpAdapter;

const ADAPTERS = [
  ['@nestjs/platform-express', 'ExpressAdapter'],
  ['@nestjs/platform-fastify', 'FastifyAdapter'],
] as const;

/** An app calls this in its `main.ts`, which does not run here. */
const UNKNOWABLE = 'shutdown-hooks';

/**
 * Starts the app without listening, looks at its servers, and closes it.
 *
 * @throws CommandError, or what kept the app from starting.
 */
export async function inspectApp(file: string, exported: string | undefined): Promise<Inspection> {
  const module = await loadAppModule(file, exported);
  const nest = await loadFrom<typeof Nest>(file, '@nestjs/core');
  if (nest === undefined) throw new CommandError(`No @nestjs/core can be found from ${file}. Install it.`);
  const copies = findNestCopies(file);
  const collector = new WarningCollector();
  const app = await createApp(nest, module, file, collector).catch((error: unknown) => {
    throw copies.length === 0 ? error : new CommandError(copies.join('\n'), { cause: error });
  });
  try {
    const servers = listReports(app.get<Nest.ModulesContainer>(nest.ModulesContainer));
    return { servers, findings: gatherFindings(servers, copies, collector.warnings) };
  } finally {
    await app.close();
  }
}

async function createApp(
  nest: typeof Nest,
  module: Type<unknown> | DynamicModule,
  file: string,
  logger: WarningCollector,
): Promise<INestApplicationContext> {
  const options: NestApplicationOptions = { logger, abortOnError: false };
  const adapter = await createAdapter(file);
  const { NestFactory } = nest;
  if (adapter === undefined) return NestFactory.createApplicationContext(module, options);
  const app = await NestFactory.create(module, adapter, options);
  return app.init();
}

/** The app's own adapter is chosen in its `main.ts`; without any, nothing of it is served over HTTP. */
async function createAdapter(file: string): Promise<Nest.AbstractHttpAdapter | undefined> {
  for (const [name, className] of ADAPTERS) {
    const found = (await loadFrom<Readonly<Record<string, HttpAdapterClass>>>(file, name))?.[className];
    if (found !== undefined) return new found();
  }
  return undefined;
}

/** Loads a package as the app would, and not the copy that this command may have. */
async function loadFrom<T>(file: string, name: string): Promise<T | undefined> {
  const path = resolveFrom(file, name);
  return path === undefined ? undefined : ((await import(pathToFileURL(path).href)) as T);
}

function listReports(modules: Nest.ModulesContainer): readonly ServerReport[] {
  return [...modules.values()]
    .flatMap((module) => [...module.providers.values()].map(({ instance }) => instance as unknown))
    .filter(isReporter)
    .map((reporter) => reporter[REPORTS_SERVER]());
}

function isReporter(instance: unknown): instance is ServerReporter {
  return typeof instance === 'object' && instance !== null && REPORTS_SERVER in instance;
}

function gatherFindings(
  servers: readonly ServerReport[],
  copies: readonly string[],
  warnings: readonly string[],
): readonly Finding[] {
  const none = servers.length === 0 ? ['The app has no MCP server. Import McpModule.forRoot() into its modules.'] : [];
  return [
    ...none.map((text) => ({ check: 'no-server', text })),
    ...copies.map((text) => ({ check: 'nest-copies', text })),
    ...warnings.map((text) => ({ check: 'component', text })),
    ...servers.flatMap(({ findings }) => findings.filter(({ check }) => check !== UNKNOWABLE)),
  ];
}

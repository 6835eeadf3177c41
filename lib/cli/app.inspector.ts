import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import type { Finding } from '../boot-audit/audit.js';
import { markInspection, REPORTS_SERVER, type ServerReport, type ServerReporter } from '../boot-audit/server-report.js';
import { startApp, type Platform } from './app.starter.js';
import { loadAppModule } from './module.loader.js';
import { judgePatterns } from './pattern.judge.js';

/** The app to inspect. */
export interface InspectedApp {
  readonly file: string;
  readonly exported?: string;
  readonly platform?: Platform;
}

/** A finding, and the server that it concerns if the app has several. */
export interface PlacedFinding extends Finding {
  readonly server?: string;
}

/** What an app serves, and its problems. */
export interface Inspection {
  readonly servers: readonly ServerReport[];
  readonly findings: readonly PlacedFinding[];
}

/** An app enables these in its `main.ts`, which does not run here. */
const UNKNOWABLE = 'shutdown-hooks';

/** An app that does not close was inspected all the same. */
const CLOSING_MS = 2_000;

/**
 * Starts the app without listening, inspects its servers, and closes it.
 *
 * @throws CommandError, or the error that prevented the start.
 */
export async function inspectApp({ file, exported, platform }: InspectedApp): Promise<Inspection> {
  // An instance of the app may be running and use the port.
  markInspection();
  const module = await loadAppModule(file, exported);
  const logger = new WarningCollector();
  const { app, modules } = await startApp({ file, module, platform, logger });
  const servers = listReports(modules);
  await close(app);
  return { servers, findings: await gatherFindings(servers, logger.warnings) };
}

function listReports(modules: ModulesContainer): readonly ServerReport[] {
  const wrappers = [...modules.values()].flatMap(({ providers }) => [...providers.values()]);
  const instances: readonly unknown[] = wrappers.map(({ instance }) => instance);
  return [...new Set(instances)].filter(isReporter).map((reporter) => reporter[REPORTS_SERVER]());
}

function isReporter(instance: unknown): instance is ServerReporter {
  return typeof instance === 'object' && instance !== null && REPORTS_SERVER in instance;
}

/** Errors while the app closes are not part of the report. */
async function close(app: INestApplicationContext): Promise<void> {
  await Promise.race([app.close().catch(() => undefined), sleep(CLOSING_MS)]);
}

async function gatherFindings(
  servers: readonly ServerReport[],
  warnings: readonly string[],
): Promise<readonly PlacedFinding[]> {
  if (servers.length === 0) {
    return [{ check: 'no-server', text: 'The app has no MCP server. Import McpModule.forRoot() into its modules.' }];
  }
  const placed: PlacedFinding[] = [];
  for (const { server, findings, patterns } of servers) {
    const all = [...findings.filter(({ check }) => check !== UNKNOWABLE), ...(await judgePatterns(patterns))];
    placed.push(...(servers.length === 1 ? all : all.map((finding) => ({ ...finding, server }))));
  }
  return [...warnings.map((text) => ({ check: 'component', text })), ...placed];
}

/** Logs nothing while an app starts, and keeps the messages about components. */
class WarningCollector implements LoggerService {
  readonly warnings: string[] = [];

  warn(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === 'ComponentRegistrar') this.warnings.push(String(message));
  }

  log(): void {}

  error(): void {}
}

import { Logger, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import { logError, messageOf, stackOf } from '../../errors/log-line.js';
import { tokenOf } from '../../mcp.constants.js';
import { LineWriter } from './line.writer.js';
import { findRootModule } from './root-module.finder.js';
import type { StdioServer } from './stdio-host.interface.js';
import type { StdioOptions } from './stdio-options.interface.js';
import { readStdioOptions, type StdioSettings } from './stdio.settings.js';
import { StdioTransport } from './stdio.transport.js';
import { divertStdout } from './stdout.diversion.js';

/** At the top level, so that importing this file is enough, and modules that are imported later cannot write to stdout. */
const protocolOutput = divertStdout(process);

/** Number of waiting answers above which reading pauses. */
const MAX_QUEUED_BYTES = 4_194_304;
/** Time limit of the shutdown hooks after the client has left, in milliseconds. */
const HOOKS_MS = 10_000;
/** Time limit for writing log lines, in milliseconds. */
const FLUSH_MS = 250;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Nest passes the signal to the hooks, but not in its public type. */
interface ClosableApp {
  close(signal?: string): Promise<void>;
}

const logger = new Logger('McpStdio');

/**
 * Starts an app and serves one of its MCP servers over stdin and stdout, until stdin ends. Resolves when it accepts
 * requests. At the end running calls are finished within a time limit, Nest's shutdown hooks run, and the process exits:
 * with 0, or with 1 if the client did not read all output.
 *
 * The module is loaded by a function, so that output of its import to stdout goes to stderr, like all later output of the
 * app.
 *
 * @example
 * ```ts
 * await serveStdio(() => import('./app.module.js'));
 * ```
 * @throws InvalidOptionsError
 * @publicApi
 */
export async function serveStdio(load: () => object | Promise<object>, options: StdioOptions = {}): Promise<void> {
  const settings = readStdioOptions(options);
  if (typeof load !== 'function') {
    throw new InvalidOptionsError(
      'serveStdio',
      'its first argument must be a function. Call serveStdio(() => import("./app.module.js")).',
    );
  }
  const app = await startApp(load, settings);
  const server = await findServer(app, settings.server);
  const { writeTimeoutMs } = settings;
  const writer = new LineWriter(protocolOutput, { writeTimeoutMs, maxQueuedBytes: MAX_QUEUED_BYTES });
  void serveToTheEnd(app, new StdioTransport(server.stdioHost(), { input: process.stdin, writer }, settings));
}

async function startApp(
  load: () => object | Promise<object>,
  { logger: own }: StdioSettings,
): Promise<INestApplicationContext> {
  const module = findRootModule(await load());
  return NestFactory.createApplicationContext(module, {
    abortOnError: false,
    ...(own === undefined ? {} : { logger: own }),
  });
}

async function findServer(app: INestApplicationContext, name: string | undefined): Promise<StdioServer> {
  try {
    return app.get<StdioServer>(tokenOf('McpServer', name), { strict: false });
  } catch {
    await app.close();
    throw new InvalidOptionsError(
      'serveStdio.server',
      name === undefined
        ? 'the app has no default server. Import McpModule.forRoot({ name, version }) in its module, or name the server that it has: serveStdio(load, { server }).'
        : `the app has no server called "${name}". Name one that McpModule.forRoot({ server }) has.`,
    );
  }
}

async function serveToTheEnd(app: INestApplicationContext, transport: StdioTransport): Promise<void> {
  let exitCode = 1;
  try {
    const signal = await Promise.race([transport.serve().then(() => undefined), nextSignal()]);
    const isClean = await transport.finish();
    if (await closeInTime(app, signal)) exitCode = isClean ? 0 : 1;
  } catch (error) {
    logError(logger, 'The app could not be closed', stackOf(error) ?? messageOf(error));
  }
  await flushed(process.stderr);
  process.exit(exitCode);
}

/** The first signal ends the server like the end of stdin; the second one has its default effect. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const received = (signal: NodeJS.Signals): void => {
      for (const other of SIGNALS) process.off(other, received);
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, received);
  });
}

/** Whether all hooks of the app finished in time. */
async function closeInTime(app: ClosableApp, signal: string | undefined): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, HOOKS_MS, false).unref());
  const isClosed = await Promise.race([app.close(signal).then(() => true), late]);
  if (!isClosed) logError(logger, `Shutdown hooks of the app took longer than ${HOOKS_MS} ms`);
  return isClosed;
}

/** Waits for log lines that are being written, because an exit would cut them off; the time is limited. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_MS);
    stream.write('', () => resolve());
  });
}

import { Logger, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import { complain, messageOf, stackOf } from '../../errors/log-line.js';
import { tokenOf } from '../../mcp.constants.js';
import { LineWriter } from './line.writer.js';
import { findRootModule } from './root-module.finder.js';
import type { StdioServer } from './stdio-host.interface.js';
import type { StdioOptions } from './stdio-options.interface.js';
import { readStdioOptions, type StdioSettings } from './stdio.settings.js';
import { StdioTransport } from './stdio.transport.js';
import { divertStdout } from './stdout.diversion.js';

/** Here and not in a function, so that importing this file is enough, and nothing that is imported later writes between. */
const protocolOutput = divertStdout(process);

/** Answers that wait for the client before its next requests have to. */
const MAX_QUEUED_BYTES = 4_194_304;
/** What a hook of the app may take, when nobody is left who would wait for it. */
const HOOKS_MS = 10_000;
/** What log lines may take to leave. */
const FLUSH_MS = 250;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Nest gives the signal to the hooks, but does not say so in its interface. */
interface ClosableApp {
  close(signal?: string): Promise<void>;
}

const logger = new Logger('McpStdio');

/**
 * Starts an app and serves one of its MCP servers over stdin and stdout, until stdin ends. Resolves when it serves. At the
 * end running calls get their time, Nest's shutdown hooks run, and the process exits: with 0, or with 1 when the client did
 * not read what was written.
 *
 * The module is loaded by a function, so that whatever it writes to stdout while it is imported goes to stderr, as all does
 * that the app writes there later.
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
    complain(logger, 'The app could not be closed', stackOf(error) ?? messageOf(error));
  }
  await flushed(process.stderr);
  process.exit(exitCode);
}

/** The first one ends the server as the end of stdin does, a second one ends the process as it always would. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const received = (signal: NodeJS.Signals): void => {
      for (const other of SIGNALS) process.off(other, received);
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, received);
  });
}

/** Whether all hooks of the app were done in time. */
async function closeInTime(app: ClosableApp, signal: string | undefined): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, HOOKS_MS, false).unref());
  const isClosed = await Promise.race([app.close(signal).then(() => true), late]);
  if (!isClosed) complain(logger, `Shutdown hooks of the app took longer than ${HOOKS_MS} ms`);
  return isClosed;
}

/** Exiting would cut off log lines that are on their way; those that nobody reads are not waited for. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_MS);
    stream.write('', () => resolve());
  });
}

import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpExecutor } from 'nestjs-mcp';
import { TargetModule } from './target.module.mjs';

/** The server under test: listens, says where, and answers what its parent asks. Runs with --expose-gc. */
const ADAPTERS = { express: ExpressAdapter, fastify: FastifyAdapter };
const misfortunes = [];
const note = (what) => (thing) => misfortunes.push(`${what}: ${thing?.stack ?? thing}`);
process.on('warning', (warning) => {
  if (!/^(Experimental|Deprecation)Warning$/.test(warning.name)) note('a warning')(warning);
});

const app = await NestFactory.create(TargetModule, new ADAPTERS[process.argv[2]](), {
  logger: false,
  abortOnError: false,
});
app.enableShutdownHooks([], { useProcessExit: true });
await app.listen(0, '127.0.0.1');
// Not before: a server that cannot start has to say why.
process.on('unhandledRejection', note('an unhandled rejection'));
process.on('uncaughtException', note('an uncaught exception'));
const server = app.getHttpServer();
const executor = app.get(McpExecutor, { strict: false });

const QUESTIONS = {
  /** Everything that must be zero, or as before, when all clients are gone. */
  async work() {
    const connections = await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    const { running, queued, abandoned, owners, slots } = executor.stats();
    return { running, queued, abandoned, owners, ...slots, connections };
  },

  async memory() {
    for (let round = 0; round < 4; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      globalThis.gc();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },

  belongings() {
    const counts = {};
    for (const emitter of [process, server]) {
      const owner = emitter === process ? 'process' : 'server';
      for (const event of emitter.eventNames()) {
        counts[`listeners of the ${owner} for "${String(event)}"`] = emitter.listenerCount(event);
      }
    }
    for (const name of process.getActiveResourcesInfo()) {
      const kind = `active ${name}`;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  },

  misfortunes: () => misfortunes,
};

process.on('message', ({ question, id }) => {
  void Promise.resolve(QUESTIONS[question]()).then((answer) => process.send({ id, answer }));
});
process.send({ port: server.address().port });

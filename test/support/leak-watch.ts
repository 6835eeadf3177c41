import type { Server } from 'node:http';
import { runInThisContext } from 'node:vm';

import type { INestApplication, INestApplicationContext } from '@nestjs/common';

import { McpExecutor, McpServer } from '../../lib/index.js';

/** Jest gives tests a copy of `process` that hears of no warning and no rejection; this is the real one. */
const realProcess = runInThisContext('process') as NodeJS.Process;

/** Far above what is needed, far below the timeout of a test. */
const SETTLE_MS = 3_000;
/** Time is counted in pauses, since on a busy machine much of it may pass between two turns of the event loop. */
const PAUSE_MS = 10;
/** Turns of the event loop that are tried before the first pause. */
const TURNS = 20;

const PROCESS_EVENTS = [
  ...['SIGTERM', 'SIGINT', 'SIGHUP', 'exit', 'beforeExit', 'disconnect', 'message'],
  ...['uncaughtException', 'unhandledRejection', 'rejectionHandled', 'warning'],
] as const;
const SERVER_EVENTS = [
  ...['request', 'connection', 'close', 'error', 'listening', 'timeout', 'clientError'],
  ...['upgrade', 'connect', 'checkContinue', 'checkExpectation', 'dropRequest'],
] as const;
/** What keeps a process alive; disk access and the like come and go by themselves. */
const RESOURCES = /^(Timeout|Immediate|TCP|TLS|Pipe|UDP|ProcessWrap|HTTP)/;

type Counts = ReadonlyMap<string, number>;

export interface LeakWatchOptions {
  /** How long what comes late is waited for. */
  readonly settleMs?: number;
  /** Handlers that the test never lets come to an end. */
  readonly endlessCalls?: number;
}

/**
 * Sees whether an app leaves anything behind: `new LeakWatch()` before it starts, `started` when it listens, `settled`
 * before it closes and `closed` after that.
 */
export class LeakWatch {
  private static readonly all = new Set<LeakWatch>();
  private readonly resources = activeResources();
  private readonly processListeners = processListeners();
  private serverListeners: Counts = new Map();
  private app: INestApplicationContext | undefined;
  private readonly misfortunes = new Misfortunes();
  private readonly settleMs: number;
  private readonly endlessCalls: number;

  constructor({ settleMs = SETTLE_MS, endlessCalls = 0 }: LeakWatchOptions = {}) {
    this.settleMs = settleMs;
    this.endlessCalls = endlessCalls;
  }

  started(app: INestApplicationContext): void {
    this.app = app;
    LeakWatch.all.add(this);
    this.serverListeners = serverListeners(app);
  }

  /** Waits until all work of the app is done. @throws when some never is, with its name. */
  async settled(): Promise<void> {
    const app = this.requireApp();
    await this.empty('Before the app closed', () => [
      ...unfinishedWork(app, this.endlessCalls),
      ...surplus('listener', this.serverListeners, serverListeners(app)),
    ]);
  }

  /** Waits until nothing is left that was not there before the start. @throws when something stays, with its name. */
  async closed(): Promise<void> {
    const app = this.requireApp();
    try {
      await this.empty('After the app closed', async () => [
        ...unfinishedWork(app, this.endlessCalls),
        ...(await openConnections(app)),
        ...surplus('listener', this.serverListeners, serverListeners(app)),
        ...this.leftInProcess(),
        ...this.misfortunes.since,
      ]);
    } finally {
      LeakWatch.all.delete(this);
      this.misfortunes.stop();
    }
  }

  private async empty(when: string, leaks: () => string[] | Promise<string[]>): Promise<void> {
    const last = TURNS + this.settleMs / PAUSE_MS;
    for (let turn = 0; ; turn += 1) {
      const found = await leaks();
      if (found.length === 0) return;
      if (turn > last) throw new Error(`${when} this was left:\n  ${found.join('\n  ')}`);
      await new Promise((resolve) => {
        if (turn < TURNS) setImmediate(resolve);
        else setTimeout(resolve, PAUSE_MS);
      });
    }
  }

  /** What other apps hold cannot be told from what this one left, so the last one answers for all. */
  private leftInProcess(): string[] {
    if ([...LeakWatch.all].some((watch) => watch.isListening)) return [];
    return [
      ...surplus('listener', this.processListeners, processListeners()),
      ...surplus('active resource', this.resources, activeResources()),
    ];
  }

  private get isListening(): boolean {
    const { app } = this;
    if (app === undefined) return false;
    const servers: McpServer[] = app.get(McpServer, { strict: false, each: true });
    return serverOf(app)?.listening === true || servers.some(({ listenerUrl }) => listenerUrl !== undefined);
  }

  private requireApp(): INestApplicationContext {
    if (this.app === undefined) throw new Error('Tell the watch when the app has started.');
    return this.app;
  }
}

/** Listens once for the whole process, however many spec files it runs, each with a copy of this one. */
interface ProcessWatch {
  readonly sinks: Set<string[]>;
  readonly listeners: ReadonlySet<unknown>;
}

const PROCESS_WATCH = Symbol.for('nestjs-mcp.test.process-watch');

function processWatch(): ProcessWatch {
  const holder = realProcess as { [PROCESS_WATCH]?: ProcessWatch };
  holder[PROCESS_WATCH] ??= watchProcess();
  return holder[PROCESS_WATCH];
}

function watchProcess(): ProcessWatch {
  const sinks = new Set<string[]>();
  const tell = (text: string): void => {
    for (const sink of sinks) sink.push(text);
  };
  const warned = ({ name, message }: Error): void => {
    // About Node or a package, not about this run.
    if (!/^(Experimental|Deprecation)Warning$/.test(name)) tell(`a warning: ${name}: ${message}`);
  };
  const rejected = (reason: unknown): void => tell(`an unhandled rejection: ${String(reason)}`);
  realProcess.on('warning', warned).on('unhandledRejection', rejected);
  return { sinks, listeners: new Set<unknown>([warned, rejected]) };
}

/** Warnings and unhandled rejections of the whole process since this was made. */
class Misfortunes {
  readonly since: string[] = [];

  constructor() {
    processWatch().sinks.add(this.since);
  }

  stop(): void {
    processWatch().sinks.delete(this.since);
  }
}

/** What the executors of all servers of the app still hold, calls without an end aside. */
function unfinishedWork(app: INestApplicationContext, endlessCalls: number): string[] {
  const executors: McpExecutor[] = app.get(McpExecutor, { strict: false, each: true });
  return executors.flatMap((executor) => {
    const { running, queued, abandoned, owners, slots } = executor.stats();
    const held = Object.entries(slots).map(([name, count]) => [`slots.${name}`, count, 0] as const);
    const counts = [
      ['running', running, endlessCalls - abandoned],
      ['queued', queued, 0],
      ['abandoned', abandoned, endlessCalls],
      ['owners', owners, endlessCalls],
      ...held,
    ] as const;
    return counts.filter(([, count, most]) => count > most).map(([name, count]) => `executor: ${name} is ${count}`);
  });
}

/** None where the app is a context without an HTTP server. */
function serverOf(app: INestApplicationContext): Server | undefined {
  return (app as Partial<INestApplication>).getHttpServer?.() as Server | undefined;
}

function openConnections(app: INestApplicationContext): Promise<string[]> {
  const server = serverOf(app);
  if (server === undefined) return Promise.resolve([]);
  return new Promise((resolve) => {
    server.getConnections((error, count) => {
      resolve(error || count === 0 ? [] : [`server: ${count} open connections`]);
    });
  });
}

function serverListeners(app: INestApplicationContext): Counts {
  const server = serverOf(app);
  if (server === undefined) return new Map();
  return new Map(SERVER_EVENTS.map((event) => [`of the server for "${event}"`, server.listenerCount(event)]));
}

/** The real process and the copy that tests and the app see; the watch's own listeners do not count. */
function processListeners(): Counts {
  const count = (event: string): number => {
    const listeners: unknown[] = realProcess.listeners(event as 'exit');
    const real = listeners.filter((listener) => !processWatch().listeners.has(listener)).length;
    return realProcess === process ? real : real + process.listenerCount(event);
  };
  return new Map(PROCESS_EVENTS.map((event) => [`of the process for "${event}"`, count(event)]));
}

function activeResources(): Counts {
  const counts = new Map<string, number>();
  for (const name of realProcess.getActiveResourcesInfo().filter((name) => RESOURCES.test(name))) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function surplus(what: string, before: Counts, now: Counts): string[] {
  return [...now]
    .filter(([name, count]) => count > (before.get(name) ?? 0))
    .map(([name, count]) => `${what} ${name}: ${count} instead of ${before.get(name) ?? 0}`);
}

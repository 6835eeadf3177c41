import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { z } from 'zod';

import { McpContext, McpModule, Tool } from '../../lib/index.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { heldBytes } from '../support/held-bytes.js';
import { LeakWatch } from '../support/leak-watch.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection, rawHead } from '../support/raw-http.js';
import { serve, ServedApp } from '../support/served-app.js';

const CALLS = 20_000;
/** Fills caches and lets the engine finish its own work, so that only what grows with calls is left. */
const WARM_UP_CALLS = 1_500;
const LINES = 16;
const MOST_DRIFT_BYTES = 10_000_000;
const LONG_MS = 300_000;
/** For leaks that are there on purpose; nobody has to wait for them. */
const SOON_MS = 300;

const number = z.object({ n: z.int() });

@Injectable()
class Tools {
  aborted = 0;
  /** Opened when `hang` has begun, by the number of the call. */
  readonly begun = new Map<number, Gate>();

  @Tool({ description: 'The number as text', input: number })
  echo({ n }: { n: number }): string {
    return `echo ${n}`;
  }

  @Tool({ description: 'Goes on until its client has gone', input: number })
  async hang({ n }: { n: number }, ctx: McpContext): Promise<string> {
    const aborted = new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()));
    await ctx.progress(n);
    this.begun.get(n - NUMBER)?.open();
    await aborted;
    this.aborted += 1;
    return 'nobody hears this';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'load', version: '1.0.0' })], providers: [Tools] })
class LoadModule {}

/** Every third call is left by its client, in turns before and after the first event of its stream. */
type Kind = 'answered' | 'left' | 'left-streaming';
const kindOf = (n: number): Kind => (n % 3 === 0 ? (n % 2 === 0 ? 'left' : 'left-streaming') : 'answered');

function bytesOf({ headers, body }: PostedRequest): string {
  return rawHead({ headers: linesOf({ headers, body }), body }) + body;
}

/** Made once: making each request anew would cost as much as answering it. */
const NUMBER = 1_000_000_007;
const template = (name: string, meta: Readonly<Record<string, unknown>> = {}): ((n: number) => string) => {
  const pieces = bytesOf(mcpRequest('tools/call', { name, arguments: { n: NUMBER } }, { id: NUMBER, meta })).split(
    String(NUMBER),
  );
  return (n) => pieces.join(String(NUMBER + n));
};
const echoOf = template('echo');
const hangOf = template('hang');
const streamOf = template('hang', { progressToken: NUMBER });

/** Makes one call after the other, each on the connection of the last one unless the client has left it. */
class Caller {
  private connection: RawConnection | undefined;

  constructor(
    private readonly served: ServedApp,
    private readonly tools: Tools,
  ) {}

  async call(n: number): Promise<void> {
    this.connection ??= await RawConnection.open(this.served.origin);
    const kind = kindOf(n);
    if (kind === 'answered') {
      this.connection.write(echoOf(n));
      const { status, body } = await this.connection.answer();
      if (status !== 200 || !body.includes(`"echo ${NUMBER + n}"`)) throw new Error(`Call ${n} got ${status} ${body}`);
      return;
    }
    if (kind === 'left') {
      const begun = new Gate();
      this.tools.begun.set(n, begun);
      this.connection.write(hangOf(n));
      await begun.opened;
      this.tools.begun.delete(n);
    } else {
      this.connection.write(streamOf(n));
      await this.connection.until('notifications/progress');
    }
    this.leave();
  }

  leave(): void {
    this.connection?.destroy();
    this.connection = undefined;
  }
}

/** As many calls as asked, shared among all lines. */
async function load(served: ServedApp, from: number, count: number): Promise<void> {
  const tools = served.app.get(Tools);
  let next = from;
  const work = async (): Promise<void> => {
    const caller = new Caller(served, tools);
    while (next < from + count) {
      const n = next;
      next += 1;
      await caller.call(n);
    }
    caller.leave();
  };
  await Promise.all(Array.from({ length: LINES }, work));
}

describe.each(ADAPTERS)('20,000 calls, of which a third is left midway, on $name', (adapter) => {
  it(
    'leave nothing behind',
    async () => {
      const watch = new LeakWatch();
      await using served = await serve(LoadModule, adapter);
      watch.started(served.app);
      await load(served, 0, WARM_UP_CALLS);
      await watch.settled();
      const before = await heldBytes();
      await load(served, WARM_UP_CALLS, CALLS);
      await watch.settled();
      const drift = (await heldBytes()) - before;
      const left = Array.from({ length: WARM_UP_CALLS + CALLS }, (_, n) => kindOf(n)).filter((k) => k !== 'answered');
      expect(served.app.get(Tools).aborted).toBe(left.length);
      expect(drift).toBeLessThan(MOST_DRIFT_BYTES);
      await served.app.close();
      await watch.closed();
    },
    LONG_MS,
  );
});

/** Leaks one thing of each sort, by name, and gives them back when it is told to. */
@Injectable()
class Leaky {
  private readonly remedies: (() => void)[] = [];
  readonly release = new Gate();

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  @Tool({ description: 'Leaks', input: z.object({ what: z.string() }) })
  leak({ what }: { what: string }): string | Promise<string> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const leaks: Readonly<Record<string, () => void>> = {
      'a timer': () => {
        const timer = setInterval(() => undefined, LONG_MS);
        this.remedies.push(() => clearInterval(timer));
      },
      'a listener of the process': () => this.listen(process, 'SIGTERM'),
      'a listener of the server': () => this.listen(server, 'connection'),
      'a socket': () => {
        const socket: Socket = connect((server.address() as { port: number }).port, '127.0.0.1');
        this.remedies.push(() => socket.destroy());
      },
      'too many listeners': () => {
        const emitter = new EventEmitter();
        for (let count = 0; count < 11; count += 1) emitter.on('event', () => undefined);
      },
    };
    leaks[what]?.();
    return what === 'a call' ? this.release.opened.then(() => 'late') : 'leaked';
  }

  heal(): void {
    for (const remedy of this.remedies) remedy();
    this.release.open();
  }

  private listen(emitter: NodeJS.EventEmitter, event: string): void {
    const listener = (): void => undefined;
    emitter.on(event, listener);
    this.remedies.push(() => emitter.off(event, listener));
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'leaky', version: '1.0.0' })], providers: [Leaky] })
class LeakyModule {}

/** Without the watch that every served app has, which would find what is left on purpose. */
async function startLeaky(adapter: AdapterCase): Promise<ServedApp> {
  const app = await NestFactory.create(LeakyModule, adapter.create() as never, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  return new ServedApp(app, `http://127.0.0.1:${(app.getHttpServer().address() as { port: number }).port}`, '/mcp');
}

const leak = (what: string): PostedRequest => mcpRequest('tools/call', { name: 'leak', arguments: { what } });

describe.each(ADAPTERS)('an app on $name that leaks', (adapter) => {
  it.each([
    ['a timer', 'active resource Timeout: '],
    ['a listener of the process', 'listener of the process for "SIGTERM": '],
    ['too many listeners', 'a warning: MaxListenersExceededWarning: '],
  ])('%s is found out after its end', async (what, named) => {
    const watch = new LeakWatch({ settleMs: SOON_MS });
    await using served = await startLeaky(adapter);
    watch.started(served.app);
    await served.post(leak(what));
    await watch.settled();
    await served.app.close();
    await expect(watch.closed()).rejects.toThrow(named);
    served.app.get(Leaky).heal();
  });

  it.each([
    ['a call', 'executor: running is 1'],
    ['a listener of the server', 'listener of the server for "connection": '],
  ])('%s is found out while it runs', async (what, named) => {
    const watch = new LeakWatch({ settleMs: SOON_MS });
    await using served = await startLeaky(adapter);
    watch.started(served.app);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytesOf(leak(what)));
    // The answer to a later request tells that the first has begun.
    await served.send('tools/list');
    await expect(watch.settled()).rejects.toThrow(named);
    served.app.get(Leaky).heal();
    await watch.settled();
    await served.app.close();
    await watch.closed();
  });

  it('a call is forgiven where the test means it', async () => {
    const watch = new LeakWatch({ settleMs: SOON_MS, endlessCalls: 1 });
    await using served = await startLeaky(adapter);
    watch.started(served.app);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytesOf(leak('a call')));
    await served.send('tools/list');
    await expect(watch.settled()).resolves.toBeUndefined();
    using other = await RawConnection.open(served.origin);
    other.write(bytesOf(leak('a call')));
    await served.send('tools/list');
    await expect(watch.settled()).rejects.toThrow('executor: running is 2');
    served.app.get(Leaky).heal();
  });

  it('a connection is found out', async () => {
    const watch = new LeakWatch({ settleMs: SOON_MS });
    await using served = await startLeaky(adapter);
    watch.started(served.app);
    using connection = await RawConnection.open(served.origin);
    connection.write(bytesOf(leak('a socket')));
    await connection.answer();
    connection.destroy();
    await expect(watch.closed()).rejects.toThrow('server: 1 open connections');
    served.app.get(Leaky).heal();
  });

  it('nothing is not accused', async () => {
    const watch = new LeakWatch({ settleMs: SOON_MS });
    await using served = await startLeaky(adapter);
    watch.started(served.app);
    await served.post(leak('nothing'));
    await expect(watch.settled()).resolves.toBeUndefined();
    await served.app.close();
    await expect(watch.closed()).resolves.toBeUndefined();
  });
});

describe('the weighing of memory', () => {
  it('detects memory that is kept, and memory that was freed', async () => {
    const before = await heldBytes();
    let kept: unknown[] = [Array.from({ length: 100_000 }, (_, n) => ({ n })), Buffer.alloc(MOST_DRIFT_BYTES)];
    expect((await heldBytes()) - before).toBeGreaterThan(MOST_DRIFT_BYTES);
    expect(kept.length).toBe(2);
    kept = [];
    expect((await heldBytes()) - before).toBeLessThan(MOST_DRIFT_BYTES / 2);
  });
});

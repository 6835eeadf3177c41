import { request, type IncomingMessage } from 'node:http';

import { describe, expect, it, jest } from '@jest/globals';
import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { Observable, range, map, concat, of } from 'rxjs';

import { log, McpContext, McpModule, progress, Tool, type McpModuleOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import { HTTP_HOSTS } from '../support/http-hosts.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { serve, type Answer, type ServedApp } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

/** An answer far larger than the buffers of both sides. */
const LONG = 16_000_000;
/** Far more than the buffers of both sides hold. */
const PIECE = 'x'.repeat(256_000);
const ASKING = { meta: { progressToken: 't', 'io.modelcontextprotocol/logLevel': 'debug' } };

@Injectable()
class Talker {
  sent = 0;
  unsubscribed = 0;
  readonly ended = new Gate<unknown>();
  readonly waiting = new Gate();
  readonly release = new Gate<string>();

  @Tool({ description: 'Waits for its client after every word' })
  async patient(context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => this.ended.open(context.signal.reason));
    while (!context.signal.aborted) {
      await context.log('info', PIECE);
      this.sent += 1;
    }
    return 'nobody hears this';
  }

  @Tool({ description: 'A generator that is slowed by its client' })
  async *generated(): AsyncGenerator {
    try {
      while (true) {
        yield log('info', PIECE);
        this.sent += 1;
      }
    } finally {
      this.ended.open('returned');
    }
  }

  @Tool({ description: 'Cannot be slowed' })
  reckless(): Observable<unknown> {
    return concat(range(0, 5_000).pipe(map((index) => log('info', index))), of('done'));
  }

  @Tool({ description: 'Counts without a pause' })
  hasty(): Observable<unknown> {
    return concat(range(1, 5_000).pipe(map((done) => progress(done))), of('done'));
  }

  @Tool({ description: 'Does not await what it tells' })
  careless(context: McpContext): string {
    for (let done = 1; done <= 50; done += 1) void context.progress(done);
    return 'done';
  }

  @Tool({ description: 'An Observable that ends when nobody is subscribed' })
  endless(): Observable<unknown> {
    return new Observable((subscriber) => {
      subscriber.next(progress(1));
      return () => {
        this.unsubscribed += 1;
        this.ended.open('unsubscribed');
      };
    });
  }

  @Tool({ description: 'Silent until it is released' })
  silent(): Promise<string> {
    this.waiting.open();
    return this.release.opened;
  }

  @Tool({ description: 'One word, then silent until it is released' })
  async terse(context: McpContext): Promise<string> {
    await context.progress(1);
    return this.release.opened;
  }

  @Tool({ description: 'A long answer' })
  long(): string {
    return 'y'.repeat(LONG);
  }
}

function talkerApp(options: Partial<McpModuleOptions> = {}): DynamicModule {
  @Module({})
  class TalkerApp {}
  return {
    module: TalkerApp,
    imports: [McpModule.forRoot({ name: 'talker', version: '1.0.0', ...options })],
    providers: [Talker],
  };
}

async function ask(served: ServedApp, name: string): Promise<RawConnection> {
  const posted = mcpRequest('tools/call', { name, arguments: {} }, ASKING);
  const connection = await RawConnection.open(served.origin);
  connection.send({ headers: linesOf(posted), body: posted.body });
  return connection;
}

const numbersOf = ({ messages }: Answer): unknown[] =>
  messages
    .slice(0, -1)
    .map(
      ({ params }) =>
        (params as { data?: unknown; progress?: unknown }).data ?? (params as { progress?: unknown }).progress,
    );

/** How long the server waits for a client that takes nothing, by the clock that the test moves. */
const WRITE_TIMEOUT_MS = 6_000;
const STEP_MS = 50;

/** The clock by which the server looks after slow clients; it stands still until a test moves it. */
class StoppedClock implements Disposable {
  private time = 0;

  constructor() {
    jest.useFakeTimers({
      doNotFake: [
        ...(['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] as const),
        ...(['Date', 'hrtime', 'nextTick', 'queueMicrotask'] as const),
      ],
    });
  }

  get now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
    jest.advanceTimersByTime(ms);
  }

  /** Moves on in small steps, between which both sides do all that they can. */
  async runUntil(holds: () => boolean): Promise<void> {
    await until(() => {
      if (holds()) return true;
      this.advance(STEP_MS);
      return false;
    });
  }

  [Symbol.dispose](): void {
    jest.useRealTimers();
  }
}

describe.each(ADAPTERS)('a client that stops reading on $name', (adapter) => {
  it.each([
    ['patient', expect.objectContaining({ reason: 'client-gone' })],
    ['generated', 'returned'],
  ])('stops the handler "%s", and is let go in the end', async (tool, ending) => {
    await using served = await serve(talkerApp({ http: { writeTimeoutMs: WRITE_TIMEOUT_MS } }), adapter);
    using clock = new StoppedClock();
    const talker = served.app.get(Talker);
    using connection = await ask(served, tool);
    await connection.until('notifications/message');
    connection.pause();
    await clock.runUntil(() => talker.ended.isOpen);
    expect(await talker.ended.opened).toEqual(ending);
    // What the buffers of both sides hold, and no more.
    expect(talker.sent * PIECE.length).toBeLessThan(50_000_000);
    await until(() => statsOf(served).running === 0);
  });

  it('is let go with a plain answer too', async () => {
    await using served = await serve(talkerApp({ http: { writeTimeoutMs: WRITE_TIMEOUT_MS } }), adapter);
    using clock = new StoppedClock();
    using connection = await ask(served, 'long');
    await connection.until('content-length');
    connection.pause();
    const server = served.app.getHttpServer() as {
      getConnections(done: (error: unknown, count: number) => void): void;
    };
    const open = (): Promise<number> =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    while ((await open()) > 0) {
      clock.advance(STEP_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statsOf(served).running).toBe(0);
  });

  it('is kept as long as it takes something', async () => {
    await using served = await serve(talkerApp({ http: { writeTimeoutMs: WRITE_TIMEOUT_MS } }), adapter);
    using clock = new StoppedClock();
    const { headers, body } = mcpRequest('tools/call', { name: 'long', arguments: {} });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(served.url, { method: 'POST', headers }, resolve).on('error', reject).end(body);
    });
    let taken = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      taken += piece.length;
      clock.advance(2 * STEP_MS);
      // The server refills the buffers, a large part of them at a time.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(taken).toBeGreaterThan(LONG);
    // It took far longer than a client may that takes nothing.
    expect(clock.now).toBeGreaterThan(2 * WRITE_TIMEOUT_MS);
  });
});

describe.each(HTTP_HOSTS)('a client that takes nothing, on $name', ({ start }) => {
  it('is let go when its time is over, not after twice of it', async () => {
    await using served = await start(talkerApp, { writeTimeoutMs: WRITE_TIMEOUT_MS });
    using clock = new StoppedClock();
    const talker = served.app.get(Talker, { strict: false });
    using connection = await ask(served, 'patient');
    await connection.until('notifications/message');
    connection.pause();
    // The time begins when the buffers of both sides are full.
    let [sent, full] = [-1, 0];
    await clock.runUntil(() => {
      if (talker.ended.isOpen) return true;
      if (sent !== talker.sent) [sent, full] = [talker.sent, clock.now];
      return false;
    });
    expect(await talker.ended.opened).toMatchObject({ reason: 'client-gone' });
    expect(clock.now - full).toBeGreaterThan(WRITE_TIMEOUT_MS - 500);
    expect(clock.now - full).toBeLessThan(2 * WRITE_TIMEOUT_MS - 500);
    await until(() => statsOf(served).running === 0);
  });
});

describe.each(ADAPTERS)('a handler that talks without a pause on $name', (adapter) => {
  it.each([
    ['to a client that has gone', ASKING.meta],
    ['though nobody asked', {}],
  ])('lets everybody else have a turn %s', async (_name, meta) => {
    await using served = await serve(talkerApp(), adapter);
    const posted = mcpRequest('tools/call', { name: 'patient', arguments: {} }, { meta });
    const connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(posted), body: posted.body });
    await until(() => served.app.get(Talker).sent > 3);
    expect((await served.send('tools/list')).status).toBe(200);
    connection[Symbol.dispose]();
    expect(await served.app.get(Talker).ended.opened).toMatchObject({ reason: 'client-gone' });
  });
});

const countFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

describe.each(ADAPTERS)('a handler that cannot be slowed on $name', (adapter) => {
  it('is heard in part: the newest messages wait, older ones are dropped', async () => {
    await using served = await serve(talkerApp(), adapter);
    const answer = await served.call('reckless', {}, ASKING);
    const numbers = numbersOf(answer);
    // The first ones fill the buffer of the response, the newest ones the queue behind it.
    const buffered = numbers.length - 100;
    expect(buffered).toBeGreaterThan(0);
    expect(buffered).toBeLessThan(1_000);
    expect(numbers).toEqual([...countFrom(0, buffered), ...countFrom(4_900, 100)]);
    expect(answer.message.result.content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('is heard in part: progress waits, and the last value comes in any case', async () => {
    await using served = await serve(talkerApp(), adapter);
    const answer = await served.call('hasty', {}, ASKING);
    const numbers = numbersOf(answer);
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers.length).toBeLessThan(1_000);
    expect(numbers).toEqual([...countFrom(1, numbers.length - 1), 5_000]);
  });

  it('loses nothing of what fits, and answers after it', async () => {
    await using served = await serve(talkerApp(), adapter);
    const answer = await served.call('careless', {}, ASKING);
    expect(numbersOf(answer)).toEqual(countFrom(1, 50));
  });

  it('is unsubscribed when its client leaves', async () => {
    await using served = await serve(talkerApp(), adapter);
    const connection = await ask(served, 'endless');
    await connection.until('"progress":1');
    connection[Symbol.dispose]();
    expect(await served.app.get(Talker).ended.opened).toBe('unsubscribed');
    await until(() => statsOf(served).running === 0);
    expect(served.app.get(Talker).unsubscribed).toBe(1);
  });
});

describe.each(ADAPTERS)('signs of life on $name', (adapter) => {
  it('come on a stream that is silent, between its events', async () => {
    await using served = await serve(talkerApp({ http: { keepAliveMs: 40 } }), adapter);
    using connection = await ask(served, 'terse');
    const seen = await connection.until(': keep-alive\n\n');
    expect(seen).toContain('"progress":1');
    served.app.get(Talker).release.open('done');
    const { body } = await connection.answer();
    const frames = body.split('\n\n').filter((frame) => frame !== '');
    expect(frames.every((frame) => frame === ': keep-alive' || frame.startsWith('event: message\ndata: {'))).toBe(true);
    expect(frames.at(-1)).toContain('"result"');
  });

  it('do not come on a silent call, unless hosts that hide who left are probed', async () => {
    await using plain = await serve(talkerApp({ http: { keepAliveMs: 20 } }), adapter);
    using clock = new StoppedClock();
    const silent = plain.call('silent', {}, ASKING);
    await plain.app.get(Talker).waiting.opened;
    clock.advance(1_000);
    plain.app.get(Talker).release.open('done');
    expect((await silent).headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('probe silent calls where that was asked for', async () => {
    await using probed = await serve(talkerApp({ http: { keepAliveMs: 20, disconnectProbeMs: 40 } }), adapter);
    using connection = await ask(probed, 'silent');
    const head = await connection.until(': keep-alive\n\n');
    expect(head).toContain('text/event-stream');
    probed.app.get(Talker).release.open('done');
    expect((await connection.answer()).body).toContain('"result"');
  });

  it('do not affect answers in JSON that come before the probe', async () => {
    await using probed = await serve(talkerApp({ http: { keepAliveMs: 20, disconnectProbeMs: 60_000 } }), adapter);
    expect((await probed.call('careless', {})).headers.get('content-type')).toMatch(/^application\/json/);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  HttpException,
  Injectable,
  Module,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { concatMap, EMPTY, finalize, from, map, NEVER, Observable, of, tap, throwError } from 'rxjs';

import {
  McpContext,
  McpExecutionContext,
  McpModule,
  progress,
  RateLimitInterceptor,
  RateLimitStore,
  Resource,
  Tool,
  type McpModuleOptions,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { mcpRequest } from '../support/mcp-request.js';
import { ProcessFaults } from '../support/process-faults.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { referenceOf } from '../support/reference.js';
import { shareApp } from '../support/shared-app.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

const SECRET = 'hush-9';
const fail = (): never => {
  throw new Error(SECRET);
};

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An error that nothing can be read of: what says so is the error itself. */
function unreadable(): Error {
  const error: Error = new Proxy(new Error(SECRET), {
    get() {
      throw error;
    },
  });
  return error;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const cycle: Record<string, unknown> = { message: { no: 'text' } };
cycle['self'] = cycle;

/** Tools that return something, by what they return. */
const RETURNED: Readonly<Record<string, () => unknown>> = {
  'an Observable whose teardown throws, at once': () =>
    new Observable((subscriber) => {
      subscriber.next('done');
      subscriber.complete();
      return fail;
    }),
  'an Observable whose teardown throws, later': () =>
    new Observable((subscriber) => {
      subscriber.next('done');
      setImmediate(() => subscriber.complete());
      return fail;
    }),
  'an Observable with a teardown that throws behind operators': () =>
    from(later()).pipe(
      map(() => 'done'),
      finalize(fail),
      concatMap((text) => of(text).pipe(finalize(fail))),
    ),
  'an Observable of promises that reject, and then a value': () => of(Promise.reject(new Error(SECRET)), 'done'),
  'an Observable of promises that reject, and a value much later': () =>
    new Observable((subscriber) => {
      subscriber.next(Promise.reject(new Error(SECRET)));
      setImmediate(() => {
        subscriber.next('done');
        subscriber.complete();
      });
    }),
  'an Observable that fails after it has completed': () =>
    new Observable((subscriber) => {
      subscriber.next('done');
      subscriber.complete();
      subscriber.error(new Error(SECRET));
      setImmediate(() => subscriber.error(new Error(SECRET)));
    }),
  'a generator that yields a promise that rejects, and then a value': function* numbers() {
    yield Promise.reject(new Error(SECRET));
    yield 'done';
  },
  'a thenable that calls back twice': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- what authors may return
    then(resolve: (value: string) => void, reject: (error: unknown) => void) {
      resolve('done');
      reject(new Error(SECRET));
      setImmediate(() => reject(new Error(SECRET)));
      throw new Error(SECRET);
    },
  }),
};

/** What tells of a failure, and has no answer but a reference. */
const FAILED: Readonly<Record<string, () => unknown>> = {
  'an Observable that fails, and whose teardown throws': () =>
    new Observable((subscriber) => {
      setImmediate(() => subscriber.error(new Error(SECRET)));
      return fail;
    }),
  'an Observable of an event that cannot be sent, whose teardown throws': () =>
    new Observable((subscriber) => {
      subscriber.next(progress(Number.NaN));
      return fail;
    }),
  'an Observable whose last value is a promise that rejects': () => of('x', Promise.reject(new Error(SECRET))),
  'a generator whose finally throws over an event that cannot be sent': async function* broken() {
    try {
      yield progress(Number.NaN);
    } finally {
      fail();
    }
  },
  'what only looks like an Observable': () => ({ lift: fail, subscribe: fail }),
  'toJSON that throws': () => ({ toJSON: fail }),
  'toJSON that throws nothing': () => ({
    toJSON() {
      throw null;
    },
  }),
  'toJSON that throws what cannot be read': () => ({
    toJSON() {
      throw unreadable();
    },
  }),
  'a getter that throws': () => ({
    get value() {
      return fail();
    },
  }),
  'a whole result with toJSON inside that throws': () => ({ content: [], structuredContent: { toJSON: fail } }),
  'meta with a cycle': () => ({ content: [], _meta: cycle }),
  'a revoked proxy': revoked,
  'a thenable that throws': () => ({ then: fail }),
  'a thenable that cannot be looked at': () => ({
    get then() {
      return fail();
    },
  }),
  'a thenable that rejects with what cannot be read': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- what authors may return
    then: (_resolve: unknown, reject: (error: unknown) => void) => void setImmediate(() => reject(unreadable())),
  }),
};

/** What is thrown, and cannot be told. */
const UNREADABLE: Readonly<Record<string, () => unknown>> = {
  'an error that cannot be read': unreadable,
  'a revoked proxy': revoked,
  null: () => null,
  'a symbol': () => Symbol(SECRET),
  'an object without a prototype': () => Object.create(null),
  'an exception whose status throws': () => Object.assign(new BadRequestException(SECRET), { getStatus: fail }),
  'an exception whose status is none': () => Object.assign(new BadRequestException(SECRET), { getStatus: () => '400' }),
  'an exception whose response throws': () => Object.assign(new BadRequestException(SECRET), { getResponse: fail }),
  'an Observable': () => throwError(fail),
};

@Injectable()
class Delayed implements CanActivate {
  /** Observables are answers of guards, too. */
  canActivate(): Observable<boolean> {
    return from(later()).pipe(
      map(() => true),
      finalize(fail),
    );
  }
}

@Injectable()
class Careless implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(finalize(fail));
  }
}

/** Fails once its answer is there. */
@Injectable()
class Late implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap({ complete: fail }),
      concatMap(() => EMPTY),
    );
  }
}

@Injectable()
class LateStore extends RateLimitStore {
  async take(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return fail();
  }
}

/** Of tools that only a deadline, or a client that leaves, ends. */
const ENDLESS = { description: 'Runs until it is ended' };

@Injectable()
class Hostile {
  finished = 0;
  private readonly results = new Map(Object.entries({ ...RETURNED, ...FAILED }));

  @Tool({ description: 'Returns', input: { type: 'object', properties: { what: { type: 'string' } } } })
  returns({ what }: { what: string }): unknown {
    return this.results.get(what)?.();
  }

  @Tool({ description: 'Throws', input: { type: 'object', properties: { what: { type: 'string' } } } })
  throws({ what }: { what: string }): never {
    throw UNREADABLE[what]?.();
  }

  @Resource({ uri: 'thrown://{what}', description: 'Throws' })
  read({ what }: { what: string }): never {
    throw UNREADABLE[decodeURIComponent(what)]?.();
  }

  @Tool({ description: 'An exception whose response has no text' })
  odd(): never {
    throw new HttpException(cycle, 400);
  }

  @Tool({ description: 'Log data that cannot be written' })
  logged(context: McpContext): string {
    void context.log('error', { toJSON: fail });
    void context.log('error', cycle);
    void context.progress(Number.NaN);
    return 'done';
  }

  @Tool({ description: 'Values that cannot be computed' })
  computed(context: McpContext): string {
    void context.once('a', fail);
    void context.once('b', () => Promise.reject(unreadable()));
    void context.once('c', () => ({ toJSON: fail }));
    return 'done';
  }

  @Tool({ description: 'Guards that throw when they have decided' })
  @UseGuards(Delayed)
  guarded(): string {
    return 'done';
  }

  @Tool({ description: 'Interceptors that throw when they have ended' })
  @UseInterceptors(Careless, Careless, Careless)
  async around(): Promise<string> {
    await later();
    return 'done';
  }

  @Tool({ description: 'An interceptor that fails at the end' })
  @UseInterceptors(Late)
  concluded(): string {
    return 'done';
  }

  @Tool(ENDLESS)
  teardown(): Observable<never> {
    return new Observable(() => () => {
      this.finished += 1;
      return fail();
    });
  }

  @Tool(ENDLESS)
  async *generated(): AsyncGenerator {
    try {
      for (;;) {
        await later();
        yield 'x';
      }
    } finally {
      this.finished += 1;
      fail();
    }
  }

  @Tool(ENDLESS)
  async *rejected(): AsyncGenerator {
    try {
      for (;;) yield 'x';
    } finally {
      this.finished += 1;
      await Promise.reject(unreadable());
    }
  }

  @Tool(ENDLESS)
  *counted(): Generator {
    try {
      for (;;) yield 'x';
    } finally {
      this.finished += 1;
      fail();
    }
  }

  @Tool(ENDLESS)
  async listeners({ signal }: McpContext): Promise<never> {
    const rejecting = (): unknown => later().then(fail);
    const removed = (): void => void (this.finished += 100);
    signal.addEventListener('abort', removed);
    signal.removeEventListener('abort', removed);
    signal.addEventListener('abort', rejecting);
    signal.addEventListener('abort', { handleEvent: fail });
    signal.addEventListener('abort', fail, { once: true });
    signal.onabort = fail;
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        this.finished += 1;
        reject(new Error(SECRET));
      });
    });
  }

  @Tool(ENDLESS)
  async tardy({ signal }: McpContext): Promise<never> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await later();
    this.finished += 1;
    throw unreadable();
  }

  @Tool(ENDLESS)
  @UseInterceptors(new RateLimitInterceptor({}, new LateStore()))
  limited(): string {
    return 'done';
  }

  @Tool(ENDLESS)
  @UseGuards({
    canActivate: (context: ExecutionContext) =>
      new Promise((_resolve, reject) => {
        const { signal } = McpExecutionContext.create(context).getContext();
        signal.addEventListener('abort', () => reject(new Error(SECRET)));
      }),
  })
  undecided(): string {
    return 'done';
  }

  @Tool(ENDLESS)
  @UseInterceptors(Careless)
  endless(): Observable<never> {
    return NEVER;
  }

  @Tool({ description: 'Answers' })
  ping(): string {
    return 'pong';
  }
}

function hostileApp(options: Partial<McpModuleOptions> = {}): DynamicModule {
  @Module({})
  class HostileApp {}
  return {
    module: HostileApp,
    imports: [McpModule.forRoot({ name: 'hostile', version: '1.0.0', ...options })],
    providers: [Hostile, Delayed, Careless, Late],
  };
}

/** Nothing would have ended the process, nothing is left running, and the next call works. */
async function expectNoHarm(app: ServedApp, faults: ProcessFaults): Promise<void> {
  await until(() => statsOf(app).running === 0);
  expect(await faults.all()).toEqual([]);
  const { message } = await app.call('ping');
  expect(message.result).toMatchObject({ content: [{ text: 'pong' }] });
}

const DONE = { content: [{ type: 'text', text: 'done' }] };
const INTERNAL = { code: -32603, message: 'Internal error', data: { reference: expect.any(String) } };

describe.each(ADAPTERS)('what code of an app throws on $name', (adapter) => {
  const served = shareApp(hostileApp(), adapter);

  it.each(Object.keys(RETURNED))('does not spoil a result: %s', async (what) => {
    using faults = new ProcessFaults();
    const { message } = await served.app.call('returns', { what });
    expect(message.result).toMatchObject(DONE);
    await expectNoHarm(served.app, faults);
  });

  it.each(Object.keys(FAILED))('has a reference: %s', async (what) => {
    using faults = new ProcessFaults();
    const { message, text } = await served.app.call('returns', { what }, { meta: { progressToken: 1 } });
    expect(message.error).toEqual(INTERNAL);
    expect(text).not.toContain(SECRET);
    const reference = referenceOf(message);
    expect(served.log.texts('error').filter((line) => line.includes(reference))).toHaveLength(1);
    await expectNoHarm(served.app, faults);
  });

  it.each(Object.keys(UNREADABLE))('has a reference for any value: %s', async (what) => {
    using faults = new ProcessFaults();
    const answers = [
      await served.app.call('throws', { what }),
      await served.app.send('resources/read', { uri: `thrown://${encodeURIComponent(what)}` }),
    ];
    for (const { message, text } of answers) {
      expect(message.error).toEqual(INTERNAL);
      expect(text).not.toContain(SECRET);
    }
    expect(served.log.texts('error')).toEqual([
      expect.stringMatching(/^Hostile\.throws failed \[/),
      expect.stringMatching(/^Hostile\.read failed \[/),
    ]);
    await expectNoHarm(served.app, faults);
  });

  it('is words for the model where there are any', async () => {
    using faults = new ProcessFaults();
    const { message } = await served.app.call('odd');
    expect(message.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'Http Exception' }] });
    await expectNoHarm(served.app, faults);
  });

  it.each([
    ['logged', 0],
    ['computed', 0],
    ['guarded', 1],
    ['around', 3],
  ])('is nobody’s answer where nobody waits for it: %s', async (tool, lines) => {
    using faults = new ProcessFaults();
    const { message } = await served.app.call(tool, {}, { meta: { 'io.modelcontextprotocol/logLevel': 'debug' } });
    expect(message.result).toMatchObject(DONE);
    await expectNoHarm(served.app, faults);
    expect(served.log.texts('error')).toEqual(
      Array.from({ length: lines }, () => `Hostile.${tool} failed at its end: ${SECRET}`),
    );
  });

  it('fails the call while an interceptor concludes it', async () => {
    using faults = new ProcessFaults();
    expect((await served.app.call('concluded')).message.error).toEqual(INTERNAL);
    await expectNoHarm(served.app, faults);
  });

  it.each(['teardown', 'generated', 'rejected', 'counted', 'listeners', 'tardy'])(
    'harms nobody when the client leaves: %s',
    async (tool) => {
      using faults = new ProcessFaults();
      const hostile = served.app.app.get(Hostile);
      const before = hostile.finished;
      const posted = mcpRequest('tools/call', { name: tool });
      const connection = await RawConnection.open(served.app.origin);
      connection.send({ headers: linesOf(posted), body: posted.body });
      await until(() => statsOf(served.app).running === 1);
      connection[Symbol.dispose]();
      await until(() => hostile.finished > before);
      expect(hostile.finished).toBe(before + 1);
      await expectNoHarm(served.app, faults);
    },
  );
});

describe.each(ADAPTERS)('what code of an app throws after its deadline on $name', (adapter) => {
  const served = shareApp(hostileApp({ limits: { requestTimeoutMs: 30 } }), adapter);

  it.each([
    ['teardown', ['failed at its end: hush-9']],
    ['generated', ['failed at its end: hush-9']],
    ['rejected', ['failed at its end: object']],
    ['counted', ['failed at its end: hush-9']],
    ['listeners', Array.from({ length: 4 }, () => 'failed when its call was cancelled: hush-9')],
    ['tardy', []],
    ['limited', []],
    ['undecided', []],
    ['endless', ['failed at its end: hush-9']],
  ])('changes nothing about a deadline: %s', async (tool, lines) => {
    using faults = new ProcessFaults();
    const hostile = served.app.app.get(Hostile);
    const before = hostile.finished;
    const { status, message } = await served.app.call(tool);
    expect([status, message.error]).toEqual([504, { code: -32603, message: 'The request took longer than 30 ms' }]);
    await expectNoHarm(served.app, faults);
    expect(served.log.texts('error')).toEqual(lines.map((line) => `Hostile.${tool} ${line}`));
    expect(hostile.finished - before).toBe(['limited', 'undecided', 'endless'].includes(tool) ? 0 : 1);
  });
});

/** A logger that stops working. */
class FailingLog extends CapturedLog {
  isBroken = false;

  override warn(message: unknown, ...rest: unknown[]): void {
    if (this.isBroken) fail();
    super.warn(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (this.isBroken) fail();
    super.error(message, ...rest);
  }
}

describe.each(ADAPTERS)('a logger that throws on $name', (adapter) => {
  it('takes no answer with it', async () => {
    using faults = new ProcessFaults();
    const log = new FailingLog();
    const configure = (app: Parameters<FailingLog['attach']>[0]): void => log.attach(app);
    await using served = await serve(hostileApp({ limits: { requestTimeoutMs: 30 } }), adapter, { configure });
    log.isBroken = true;
    expect((await served.call('throws', { what: 'null' })).message.error).toEqual(INTERNAL);
    expect((await served.call('returns', { what: 'meta with a cycle' })).message.error).toEqual(INTERNAL);
    expect((await served.call('teardown')).status).toBe(504);
    expect((await served.call('listeners')).status).toBe(504);
    expect((await served.post({ ...mcpRequest('tools/call'), body: '{' })).status).toBe(400);
    await expectNoHarm(served, faults);
    log.isBroken = false;
  });
});

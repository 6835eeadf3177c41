import { describe, expect, it } from '@jest/globals';
import { BadRequestException, Injectable, Module, type DynamicModule } from '@nestjs/common';
import { asapScheduler, concat, concatMap, EMPTY, interval, map, Observable, of, range, throwError } from 'rxjs';

import { log, McpContext, McpModule, progress, Prompt, Resource, text, Tool, toolError } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, RawConnection } from '../support/raw-http.js';
import { referenceOf } from '../support/reference.js';
import { shareApp } from '../support/shared-app.js';
import type { Answer } from '../support/served-app.js';
import { statsOf, until } from '../support/workshop.module.js';

type Emissions = AsyncGenerator;

@Injectable()
class Emitter {
  readonly ended: string[] = [];

  @Tool({ description: 'An Observable' })
  observed(): Observable<unknown> {
    return of(progress(1, 2, 'half'), { part: 1 }, log('info', { n: 1 }, 'emitter'), progress(2, 2), { part: 2 });
  }

  @Tool({ description: 'A generator whose last value counts' })
  async *generated(): Emissions {
    yield progress(1);
    yield 'first';
    await Promise.resolve();
    yield log('warning', 'careful');
    yield 'last';
  }

  @Tool({ description: 'A generator that returns' })
  async *returned(): Emissions {
    yield 'not this';
    yield progress(1);
    return text('this');
  }

  @Tool({ description: 'A promise of an Observable' })
  async promised(): Promise<Observable<unknown>> {
    await Promise.resolve();
    return of('a', 'b');
  }

  @Tool({ description: 'Events alone' })
  async *nothing(): Emissions {
    yield progress(1);
  }

  @Tool({ description: 'No emission at all' })
  empty(): Observable<never> {
    return EMPTY;
  }

  @Tool({ description: 'A failed tool as the last value' })
  failed(): Observable<unknown> {
    return of(progress(1), toolError('too hot'));
  }

  @Tool({ description: 'An error of the application in the middle' })
  refused(): Observable<unknown> {
    return concat(
      of(progress(1)),
      throwError(() => new BadRequestException('too cold')),
    );
  }

  @Tool({ description: 'An unknown error in the middle' })
  async *broken(): Emissions {
    yield progress(1);
    throw new Error('secret');
  }

  @Tool({ description: 'Progress that is no number' })
  async *misused(): Emissions {
    try {
      yield progress(Number.NaN);
    } finally {
      this.ended.push('misused');
    }
  }

  @Tool({ description: 'Progress that does not increase' })
  async *repeated(): Emissions {
    yield progress(2);
    yield progress(2);
    yield progress(1);
    yield progress(3);
    return 'done';
  }

  @Tool({ description: 'Tells by its context' })
  async told(context: McpContext): Promise<string> {
    await context.progress(1, 4, 'quarter');
    await context.log('debug', 'hidden');
    await context.log('error', ['shown']);
    return 'told';
  }

  @Resource({ uri: 'stream://resource', description: 'Emits' })
  resource(): Observable<unknown> {
    return of(progress(1), 'contents');
  }

  @Prompt({ description: 'Emits' })
  async *prompt(): Emissions {
    yield progress(1);
    return 'prompt';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'emitter', version: '1.0.0' })], providers: [Emitter] })
class EmitterModule {}

const ASKING = { meta: { progressToken: 'p1', 'io.modelcontextprotocol/logLevel': 'info' } };

const events = ({ messages }: Answer): unknown[] =>
  messages.slice(0, -1).map(({ method, params }) => ({ method, params }));

const progressed = (params: object): object => ({
  method: 'notifications/progress',
  params: { progressToken: 'p1', ...params },
});
const logged = (params: object): object => ({ method: 'notifications/message', params });

describe.each(ADAPTERS)('emitting handlers on $name', (adapter) => {
  const served = shareApp(EmitterModule, adapter);

  it.each([
    [
      'observed',
      [
        progressed({ progress: 1, total: 2, message: 'half' }),
        logged({ level: 'info', logger: 'emitter', data: { n: 1 } }),
        progressed({ progress: 2, total: 2 }),
      ],
      { structuredContent: { part: 2 } },
    ],
    [
      'generated',
      [progressed({ progress: 1 }), logged({ level: 'warning', data: 'careful' })],
      { content: [{ type: 'text', text: 'last' }] },
    ],
    ['returned', [progressed({ progress: 1 })], { content: [{ type: 'text', text: 'this' }] }],
    ['promised', [], { content: [{ type: 'text', text: 'b' }] }],
    ['nothing', [progressed({ progress: 1 })], { content: [] }],
    ['empty', [], { content: [] }],
    ['failed', [progressed({ progress: 1 })], { isError: true, content: [{ type: 'text', text: 'too hot' }] }],
    ['refused', [progressed({ progress: 1 })], { isError: true, content: [{ type: 'text', text: 'too cold' }] }],
    [
      'repeated',
      [progressed({ progress: 2 }), progressed({ progress: 3 })],
      { content: [{ type: 'text', text: 'done' }] },
    ],
    [
      'told',
      [progressed({ progress: 1, total: 4, message: 'quarter' }), logged({ level: 'error', data: ['shown'] })],
      { content: [{ type: 'text', text: 'told' }] },
    ],
  ])('%s sends its events, then its result', async (tool, expected, result) => {
    const { app } = served;
    const answer = await app.call(tool, {}, ASKING);
    expect(events(answer)).toEqual(expected);
    expect(answer.message.result).toMatchObject(result);
  });

  it.each(['observed', 'generated', 'told'])('%s sends only its result if no events were requested', async (tool) => {
    const { app } = served;
    const answer = await app.call(tool);
    expect(events(answer)).toEqual([]);
    expect(answer.message.result.resultType).toBe('complete');
  });

  it.each([
    ['debug', [logged({ level: 'debug', data: 'hidden' }), logged({ level: 'error', data: ['shown'] })]],
    ['info', [logged({ level: 'error', data: ['shown'] })]],
    ['error', [logged({ level: 'error', data: ['shown'] })]],
    ['critical', []],
  ])('sends messages from level %s upwards to whoever asked for that', async (level, expected) => {
    const { app } = served;
    const answer = await app.call('told', {}, { meta: { 'io.modelcontextprotocol/logLevel': level } });
    expect(events(answer)).toEqual(expected);
    expect(answer.headers.get('content-type')).toContain(expected.length === 0 ? 'application/json' : 'event-stream');
    expect(answer.message.result).toMatchObject({ content: [{ type: 'text', text: 'told' }] });
  });

  it.each(['loud', '', 'INFO', 5, null])('refuses the log level %j by itself', async (level) => {
    const { app } = served;
    const answer = await app.call('told', {}, { meta: { 'io.modelcontextprotocol/logLevel': level } });
    expect([answer.status, answer.messages.length, answer.message.error.code]).toEqual([200, 1, -32602]);
  });

  it('sends only the result to a client that takes JSON alone', async () => {
    const { app } = served;
    const answer = await app.call('observed', {}, { ...ASKING, headers: { accept: 'application/json' } });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.messages).toHaveLength(1);
    expect(answer.message.result.structuredContent).toEqual({ part: 2 });
  });

  it('ends a stream with the internal error that broke it', async () => {
    const { app, log: captured } = served;
    const answer = await app.call('broken', {}, ASKING);
    expect(events(answer)).toEqual([progressed({ progress: 1 })]);
    expect(answer.message.error.code).toBe(-32603);
    expect(answer.text).not.toContain('secret');
    expect(captured.texts('error')).toEqual([`Emitter.broken failed [${referenceOf(answer.message)}]: secret`]);
  });

  it('ends the handler too when an event cannot be sent', async () => {
    const { app } = served;
    expect((await app.call('misused', {}, ASKING)).message.error.code).toBe(-32603);
    expect(app.app.get(Emitter).ended).toEqual(['misused']);
  });

  it('streams for resources and prompts as well', async () => {
    const { app } = served;
    const read = await app.send('resources/read', { uri: 'stream://resource' }, ASKING);
    expect(events(read)).toEqual([progressed({ progress: 1 })]);
    expect(read.message.result.contents).toMatchObject([{ text: 'contents' }]);
    const got = await app.send('prompts/get', { name: 'prompt' }, ASKING);
    expect(events(got)).toEqual([progressed({ progress: 1 })]);
    expect(got.message.result.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'prompt' } }]);
  });
});

/** What never ends, and never waits for anything. */
const ENDLESS: Readonly<Record<string, () => unknown>> = {
  'a generator of values': function* values() {
    for (;;) yield 'x';
  },
  'an async generator of values': async function* values() {
    for (;;) yield 'x';
  },
  'an async generator of events': async function* events() {
    for (let done = 1; ; done += 1) yield progress(done);
  },
  'a chain of thenables': () => {
    const link = {
      // oxlint-disable-next-line unicorn/no-thenable -- what authors may return
      then: (resolve: (value: unknown) => void) => resolve(link),
    };
    return link;
  },
  'an Observable of a timer': () => interval(0),
};

/** Nothing else can run while they emit. */
const BLOCKING: Readonly<Record<string, () => unknown>> = {
  'an Observable of values': () => range(0, Infinity),
  'an Observable of progress': () => range(0, Infinity).pipe(map((done) => progress(done))),
  'an Observable of messages': () => range(0, Infinity).pipe(map((count) => log('error', count))),
  'an Observable of Observables': () => range(0, Infinity).pipe(concatMap(() => of('x'))),
  'an Observable of microtasks': () => range(0, Infinity, asapScheduler),
  'an Observable that does not look whether anybody listens': () =>
    new Observable((subscriber) => {
      for (;;) subscriber.next('x');
    }),
};

@Injectable()
class Perpetual {
  private readonly results = new Map(Object.entries({ ...ENDLESS, ...BLOCKING }));

  @Tool({ description: 'Never ends', input: { type: 'object', properties: { what: { type: 'string' } } } })
  endless({ what }: { what: string }): unknown {
    return this.results.get(what)?.();
  }

  @Tool({ description: 'Never ends' })
  async reporting(context: McpContext): Promise<string> {
    for (let done = 1; !context.signal.aborted; done += 1) await context.progress(done);
    return 'aborted';
  }

  @Tool({ description: 'Answers' })
  ping(): string {
    return 'pong';
  }
}

const perpetualApp = (limits = {}): DynamicModule => {
  @Module({})
  class PerpetualApp {}
  return {
    module: PerpetualApp,
    imports: [McpModule.forRoot({ name: 'perpetual', version: '1.0.0', limits })],
    providers: [Perpetual],
  };
};

const WANTED = { meta: { progressToken: 'p1', 'io.modelcontextprotocol/logLevel': 'debug' } };

describe.each(ADAPTERS)('handlers that never end on $name', (adapter) => {
  const brief = shareApp(perpetualApp({ requestTimeoutMs: 40 }), adapter);
  const patient = shareApp(perpetualApp(), adapter);

  it.each([...Object.keys(ENDLESS), ...Object.keys(BLOCKING)])('meet their deadline: %s', async (what) => {
    for (const parts of [{}, WANTED]) {
      const { message } = await brief.app.call('endless', { what }, parts);
      expect(message.error).toEqual({ code: -32603, message: 'The request took longer than 40 ms' });
      await until(() => statsOf(brief.app).running === 0);
    }
  });

  it.each([...Object.keys(ENDLESS), 'reporting'])(
    'keep nobody waiting, and hear that their client left: %s',
    async (what) => {
      const params = what === 'reporting' ? { name: what } : { name: 'endless', arguments: { what } };
      const posted = mcpRequest('tools/call', params);
      const connection = await RawConnection.open(patient.app.origin);
      connection.send({ headers: linesOf(posted), body: posted.body });
      await until(() => statsOf(patient.app).running === 1);
      expect((await patient.app.call('ping')).message.result).toMatchObject({ content: [{ text: 'pong' }] });
      connection[Symbol.dispose]();
      await until(() => statsOf(patient.app).running === 0);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import {
  ForbiddenException,
  HttpException,
  Injectable,
  RequestTimeoutException,
  Scope,
  UnauthorizedException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import {
  EMPTY,
  finalize,
  from,
  map,
  merge,
  mergeMap,
  NEVER,
  of,
  race,
  repeat,
  take,
  tap,
  throwError,
  type Observable,
} from 'rxjs';

import { McpContext, McpNotifier, McpProtocolError, Tool } from '../../lib/index.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { deskApp, type DeskOptions } from '../support/desk.module.js';
import { Gate } from '../support/gate.js';
import { mcpRequest, META, type PostedRequest } from '../support/mcp-request.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { SseStream } from '../support/sse-stream.js';

const TIMEOUT_MS = 150;

type Behaviour = (next: CallHandler, round: Round) => Observable<unknown> | Promise<Observable<unknown>>;

/** One request whose time the test decides about. */
class Round {
  static readonly all = new Map<string, Round>();
  /** Opened when the tool runs. */
  readonly running = new Gate<AbortSignal>();
  /** Opened by the test: the time of the interceptor is up. */
  readonly elapsed = new Gate();
  /** Opened when the interceptor has ended the request. */
  readonly ended = new Gate();
  /** Lets the tool go on. */
  readonly release = new Gate();

  static begin(name: string): Round {
    const round = new Round();
    Round.all.set(name, round);
    return round;
  }

  /** Ends the request from the side of the interceptor, and lets Nest do what it does then. */
  async timeOut(): Promise<void> {
    this.elapsed.open();
    await this.ended.opened;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The timeout of Nest's documentation, by the clock of the test. */
const until = (next: CallHandler, round: Round, end: () => Observable<never>): Observable<unknown> =>
  race(next.handle(), from(round.elapsed.opened).pipe(mergeMap(end))).pipe(finalize(() => round.ended.open()));

const refuseToTell = (): never => {
  throw new Error('a detail that must stay inside');
};

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'a value of its own': () => of('cached'),
  'no value': () => EMPTY,
  'nothing, ever': () => NEVER,
  'a promise that stays pending': () => new Promise<never>(() => undefined),
  'a promise that rejects': () => Promise.reject(new Error('a detail that must stay inside')),
  'an error in its stream': () => throwError(() => new Error('a detail that must stay inside')),
  'a thrown error': () => {
    throw new Error('a detail that must stay inside');
  },
  'an error that cannot be read': () => throwError(() => new Proxy(new Error(), { get: refuseToTell })),
  'a status that cannot be read': () =>
    throwError(() => Object.assign(new ForbiddenException(), { getStatus: refuseToTell })),
  'a thrown string': () => throwError(() => 'a detail that must stay inside'),
  'a 401': () => throwError(() => new UnauthorizedException('who are you?')),
  'a 403': () => throwError(() => new ForbiddenException('not now')),
  'a 429': () => throwError(() => new HttpException('slow down', 429)),
  'a 503': () => throwError(() => new HttpException('a detail that must stay inside', 503)),
  'a timeout': () => throwError(() => new RequestTimeoutException()),
  'an error of the protocol': () => throwError(() => new McpProtocolError(4711, 'not like this', { a: 1 })),
  'a mapped value': (next) => next.handle().pipe(map((data: unknown) => ({ data }))),
  'two rounds': (next) => next.handle().pipe(repeat(2)),
  'a value of its own first': (next) => merge(of('early'), next.handle()).pipe(take(2)),
  'an error after all': (next) =>
    next.handle().pipe(
      tap(() => {
        throw new Error('after all');
      }),
    ),
  'an error after all that cannot be read': (next) =>
    next.handle().pipe(mergeMap(() => throwError(() => new Proxy(new Error(), { get: refuseToTell })))),
  'a timeout meanwhile': (next, round) => until(next, round, () => throwError(() => new RequestTimeoutException())),
  'no value meanwhile': (next, round) => until(next, round, () => EMPTY),
  'a step that lasts': (next, round) =>
    from(round.elapsed.opened).pipe(
      mergeMap(() => next.handle()),
      finalize(() => round.ended.open()),
    ),
};

/** Does what the request asks for; at the method it does nothing. */
@Injectable()
class Misbehaving implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    const behaviour = BEHAVIOURS[headers['x-do'] ?? ''];
    if (context.getType() !== 'http' || behaviour === undefined) return next.handle();
    const round = Round.all.get(headers['x-round'] ?? '') ?? new Round();
    return behaviour(next, round);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedMisbehaving extends Misbehaving {}

@Injectable()
class Work {
  @Tool({ description: 'Runs until the test lets it go' })
  async work(ctx: McpContext): Promise<string> {
    const { headers } = ctx.request as { headers: Record<string, string | undefined> };
    const round = Round.all.get(headers['x-round'] ?? '');
    await ctx.progress(1);
    round?.running.open(ctx.signal);
    await round?.release.opened;
    return 'worked';
  }
}

const REQUESTS = {
  call: mcpRequest('tools/call', { name: 'echo', arguments: { text: 'hi' } }, { id: 'call' }),
  list: mcpRequest('tools/list', {}, { id: 'list' }),
  stream: mcpRequest(
    'tools/call',
    { name: 'count', arguments: { steps: 2 } },
    { id: 'stream', meta: { progressToken: 1 } },
  ),
  'stream alone': mcpRequest(
    'tools/call',
    { name: 'echo', arguments: { text: 'hi' } },
    { id: 'stream alone', headers: { accept: 'text/event-stream' } },
  ),
} satisfies Record<string, PostedRequest>;

const LISTEN = mcpRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'listen' });

const NOTIFICATION: PostedRequest = {
  headers: mcpRequest('notifications/cancelled').headers,
  body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99, _meta: META } }),
};

type Expected = readonly [status: number, error: Record<string, unknown>];

const INTERNAL: Expected = [
  500,
  { code: -32603, message: 'Internal error', data: { reference: expect.stringMatching(/^[\w-]{36}$/) } },
];
const LATE: Expected = [504, { code: -32603, message: `The request took longer than ${TIMEOUT_MS} ms` }];

const IN_PLACE: readonly (readonly [string, Expected])[] = [
  ['a value of its own', LATE],
  ['no value', INTERNAL],
  ['nothing, ever', LATE],
  ['a promise that stays pending', LATE],
  ['a promise that rejects', INTERNAL],
  ['an error in its stream', INTERNAL],
  ['a thrown error', INTERNAL],
  ['an error that cannot be read', INTERNAL],
  ['a status that cannot be read', INTERNAL],
  ['a thrown string', INTERNAL],
  ['a 401', [401, { code: 401, message: 'who are you?' }]],
  ['a 403', [403, { code: 403, message: 'not now' }]],
  ['a 429', [429, { code: 429, message: 'slow down' }]],
  ['a 503', [503, INTERNAL[1]]],
  ['a timeout', [408, { code: 408, message: 'Request Timeout' }]],
  ['an error of the protocol', [200, { code: 4711, message: 'not like this', data: { a: 1 } }]],
];

/** While the method runs; the test decides when. */
const MEANWHILE = ['a timeout meanwhile', 'no value meanwhile'] as const;

const AROUND = [
  'a mapped value',
  'two rounds',
  'a value of its own first',
  'an error after all',
  'an error after all that cannot be read',
] as const;

const PLACES: Readonly<Record<string, (adapter: AdapterCase, options?: DeskOptions) => SharedApp>> = {
  'of the app': (adapter, options = {}) =>
    shareApp(deskApp(options, { providers: [Work] }), adapter, {
      configure: (app) => void app.useGlobalInterceptors(new Misbehaving()),
    }),
  'of the endpoint': (adapter, options = {}) =>
    shareApp(deskApp({ ...options, http: { interceptors: [Misbehaving] } }, { providers: [Work] }), adapter),
  'of the app, one for each request': (adapter, options = {}) =>
    shareApp(
      deskApp(options, { providers: [Work, { provide: APP_INTERCEPTOR, useClass: ScopedMisbehaving }] }),
      adapter,
    ),
};

const doing = (posted: PostedRequest, behaviour: string, round = ''): PostedRequest => ({
  ...posted,
  headers: { ...posted.headers, 'x-do': behaviour, 'x-round': round },
});

async function plain({ url }: ServedApp, posted: PostedRequest): Promise<readonly [number, string, string | null]> {
  const response = await fetch(url, { method: 'POST', ...posted });
  return [response.status, await response.text(), response.headers.get('content-type')];
}

const limits = { requestTimeoutMs: TIMEOUT_MS };

describe.each(ADAPTERS)('an interceptor of type http on $name', (adapter) => {
  describe.each(Object.entries(PLACES))('%s, in place of the endpoint', (_place, open) => {
    const shared = open(adapter, { limits });

    it.each(IN_PLACE)('gives %s: every request has one error with its id, in time', async (behaviour, expected) => {
      const { app, log } = shared;
      const [status, error] = expected;
      const all = Object.entries({ ...REQUESTS, listen: LISTEN });
      const answers = await Promise.all(all.map(([, posted]) => app.post(doing(posted, behaviour))));
      expect(answers.map((answer) => [answer.status, answer.messages])).toEqual(
        all.map(([id]) => [status, [{ jsonrpc: '2.0', id, error }]]),
      );
      expect(answers.filter(({ text }) => text.includes('a detail'))).toEqual([]);
      const noted = await plain(app, doing(NOTIFICATION, behaviour));
      expect([noted[0], JSON.parse(noted[1])]).toEqual([
        status === 200 ? 500 : status,
        { jsonrpc: '2.0', error: expect.objectContaining({ code: -32603 }) },
      ]);
      for (const { text } of log.lines.filter(({ level }) => level === 'error')) {
        expect(text).toMatch(/^An interceptor of type http failed for \/mcp \[[\w-]+\]: /);
      }
      expect((await app.post(REQUESTS.call)).status).toBe(200);
    });

    it('is not let through once the client has its error', async () => {
      const round = Round.begin('late');
      const work = mcpRequest('tools/call', { name: 'work' }, { id: 'late' });
      const answer = await shared.app.post(doing(work, 'a step that lasts', 'late'));
      expect([answer.status, answer.message.error]).toEqual(LATE);
      const runs: unknown[] = [];
      void round.running.opened.then((signal) => runs.push(signal));
      await round.timeOut();
      await plain(shared.app, REQUESTS.call);
      expect(runs).toEqual([]);
    });
  });

  describe.each(Object.entries(PLACES))('%s, around the endpoint', (_place, open) => {
    const shared = open(adapter);

    it.each(AROUND)('gives %s: answers are the same as without it', async (behaviour) => {
      for (const posted of [...Object.values(REQUESTS), NOTIFICATION]) {
        expect(await plain(shared.app, doing(posted, behaviour))).toEqual(await plain(shared.app, posted));
      }
    });

    it.each(MEANWHILE)('gives %s: the answer of the method is sent', async (behaviour) => {
      const round = Round.begin('plain');
      const answering = shared.app.post(doing(mcpRequest('tools/call', { name: 'work' }), behaviour, 'plain'));
      const signal = await round.running.opened;
      await round.timeOut();
      round.release.open();
      const { status, message } = await answering;
      expect([status, message.result.content]).toEqual([200, [{ type: 'text', text: 'worked' }]]);
      expect(signal.aborted).toBe(false);
    });

    it.each(MEANWHILE)('gives %s: a stream ends with its result', async (behaviour) => {
      const round = Round.begin('stream');
      const posted = mcpRequest('tools/call', { name: 'work' }, { meta: { progressToken: 1 } });
      using stream = await SseStream.open(shared.app.origin, doing(posted, behaviour, 'stream'));
      await round.running.opened;
      await round.timeOut();
      round.release.open();
      expect((await stream.whole()).map(({ method, result }) => method ?? result.content)).toEqual([
        'notifications/progress',
        [{ type: 'text', text: 'worked' }],
      ]);
    });

    it.each(MEANWHILE)('gives %s: a subscription stays open', async (behaviour) => {
      const round = Round.begin('listen');
      using stream = await SseStream.open(shared.app.origin, doing(LISTEN, behaviour, 'listen'));
      await stream.until(({ messages }) => messages.length === 1);
      await round.timeOut();
      await shared.app.app.get(McpNotifier).toolsChanged();
      await stream.until(({ messages }) => messages.length === 2);
      expect(stream.messages.map(({ method }) => method)).toEqual([
        'notifications/subscriptions/acknowledged',
        'notifications/tools/list_changed',
      ]);
    });
  });

  it.each([
    ['a value of its own', 'has not let a request to /mcp through', 'call next.handle() where the path is /mcp'],
    ['no value', 'has ended a request to /mcp before it reached the endpoint', 'refuse callers by a guard instead'],
    [
      'an error after all',
      'has ended a request to /mcp with an error (after all)',
      'Exclude /mcp from the interceptor',
    ],
  ])('that gives %s is named once, with what it does and what helps', async (behaviour, effect, cure) => {
    const log = new CapturedLog();
    await using app = await serve(deskApp({ limits: { requestTimeoutMs: 20 } }), adapter, {
      configure: (nest) => {
        log.attach(nest);
        nest.useGlobalInterceptors(new Misbehaving());
      },
    });
    log.lines.length = 0;
    for (const posted of [REQUESTS.call, REQUESTS.list, REQUESTS.call]) {
      await plain(app, doing(posted, behaviour));
    }
    const ours = log.lines.filter(({ level, context }) => level === 'warn' && context === 'McpModule');
    const [warning = '', ...more] = ours.map(({ text }) => text);
    expect([warning.includes(effect), warning.includes(cure), more]).toEqual([true, true, []]);
  });

  it('keeps its answers when the logger of the app throws', async () => {
    const log = new CapturedLog();
    await using app = await serve(deskApp({ limits: { requestTimeoutMs: 20 } }), adapter, {
      configure: (nest) => {
        log.attach(nest);
        nest.useGlobalInterceptors(new Misbehaving());
      },
    });
    const late = [504, { code: -32603, message: 'The request took longer than 20 ms' }];
    log.warn = refuseToTell;
    log.error = refuseToTell;
    for (const [behaviour, expected] of [
      ['nothing, ever', late],
      ['a thrown error', INTERNAL],
    ] as const) {
      const { status, message } = await app.post(doing(REQUESTS.call, behaviour));
      expect([status, message.error]).toEqual(expected);
    }
    expect(await plain(app, doing(REQUESTS.call, 'an error after all'))).toEqual(await plain(app, REQUESTS.call));
    for (const method of ['warn', 'error'] as const) Reflect.deleteProperty(log, method);
  });
});

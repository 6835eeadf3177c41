import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  Scope,
  UnauthorizedException,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, HttpAdapterHost, REQUEST } from '@nestjs/core';
import { NEVER, type Observable } from 'rxjs';

import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { Desk, deskApp } from '../support/desk.module.js';
import { Gate } from '../support/gate.js';
import { mcpRequest } from '../support/mcp-request.js';
import { linesOf, rawHead, RawConnection } from '../support/raw-http.js';
import { serve } from '../support/served-app.js';

interface GuardedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  mcpAuth?: unknown;
}

const CALL = mcpRequest('tools/call', { name: 'echo', arguments: { text: 'hi' } });

/** What guards saw, for tests to look at. */
@Injectable()
class Log {
  readonly seen: {
    readonly guard: string;
    readonly request: GuardedRequest;
    readonly contentType: string | undefined;
  }[] = [];
}

abstract class TokenGuard implements CanActivate {
  protected abstract readonly log: Log;

  canActivate(context: ExecutionContext): boolean {
    // The same class also guards components, where it has nothing to do.
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    this.log.seen.push({ guard: this.constructor.name, request, contentType: request.headers['content-type'] });
    const { authorization } = request.headers;
    if (authorization === undefined) throw new UnauthorizedException('a token, please');
    if (authorization === 'Bearer guest') throw new ForbiddenException('no guests');
    if (authorization === 'Bearer silent') return false;
    request.mcpAuth = { user: authorization.slice('Bearer '.length) };
    return true;
  }
}

@Injectable()
class InjectedGuard extends TokenGuard {
  constructor(@Inject(Log) protected readonly log: Log) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard extends TokenGuard {
  constructor(
    @Inject(Log) protected readonly log: Log,
    @Inject(REQUEST) private readonly request: GuardedRequest,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean {
    if (this.request.headers['content-length'] === undefined) throw new Error('it was made without its request');
    return super.canActivate(context);
  }
}

@Catch(HttpException)
class OwnFilter implements ExceptionFilter<HttpException> {
  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  catch(error: HttpException, host: ArgumentsHost): void {
    const { httpAdapter } = this.host;
    const response: unknown = host.switchToHttp().getResponse();
    httpAdapter.setHeader(response, 'WWW-Authenticate', 'Bearer realm="desk"');
    httpAdapter.reply(response, { own: error.message }, error.getStatus());
  }
}

const PLACES = [
  [
    'a global guard',
    () =>
      deskApp(
        {},
        {
          providers: [
            Log,
            OwnFilter,
            { provide: APP_GUARD, useClass: InjectedGuard },
            { provide: APP_FILTER, useClass: OwnFilter },
          ],
        },
      ),
  ],
  [
    'a guard class of the endpoint',
    () =>
      deskApp(
        { http: { guards: [InjectedGuard], filters: [OwnFilter] } },
        { providers: [Log, InjectedGuard, OwnFilter] },
      ),
  ],
  [
    'a request-scoped guard class of the endpoint',
    () =>
      deskApp({ http: { guards: [ScopedGuard], filters: [OwnFilter] } }, { providers: [Log, ScopedGuard, OwnFilter] }),
  ],
] as const;

describe.each(ADAPTERS)('guards in front of the endpoint on $name', (adapter) => {
  describe.each(PLACES)('%s', (_place, app) => {
    it.each([
      [undefined, 401, { own: 'a token, please' }],
      ['Bearer guest', 403, { own: 'no guests' }],
      ['Bearer silent', 403, { own: 'Forbidden resource' }],
    ])(
      'answers %s before a byte of the body has come, through the filter of the app',
      async (authorization, status, body) => {
        await using served = await serve(app(), adapter);
        using connection = await RawConnection.open(served.origin);
        const headers = [
          ...linesOf(CALL),
          ...(authorization === undefined ? [] : [['authorization', authorization] as const]),
        ];
        // Half a body, and nothing more ever.
        connection.write(`${rawHead({ headers, framing: 100_000 })}{"jsonrpc":`);
        const answer = await connection.answer();
        expect([answer.status, JSON.parse(answer.body)]).toEqual([status, body]);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="desk"');
        expect(answer.headers.get('connection')).toBe('close');
        await connection.closed;
        expect(served.app.get(Desk).calls).toEqual([]);
      },
    );

    it('passes the caller to the handler, on the request that it got', async () => {
      await using served = await serve(app(), adapter);
      const { message } = await served.call('echo', { text: 'hi' }, { headers: { authorization: 'Bearer ada' } });
      expect(message.result.content).toEqual([{ type: 'text', text: 'hi' }]);
      const { seen } = served.app.get(Log);
      const { context } = served.app.get(Desk);
      expect(seen).toHaveLength(1);
      expect(context?.request).toBe(seen[0]?.request);
      expect(context?.auth).toEqual({ user: 'ada' });
    });

    it('sees a masked content type, and the handler that of the client', async () => {
      await using served = await serve(app(), adapter);
      const headers = { authorization: 'Bearer ada', 'content-type': 'application/json; charset=utf-8' };
      await served.call('echo', { text: 'hi' }, { headers });
      expect(served.app.get(Log).seen[0]?.contentType).toBe('application/x-mcp-raw');
      const request = served.app.get(Desk).context?.request as GuardedRequest;
      expect(request.headers['content-type']).toBe('application/json; charset=utf-8');
    });
  });

  it('may be instances', async () => {
    const guard = { canActivate: () => false };
    await using served = await serve(deskApp({ http: { guards: [guard] } }), adapter);
    const response = await fetch(served.url, { method: 'POST', ...CALL });
    expect([response.status, await response.json()]).toMatchObject([403, { message: 'Forbidden resource' }]);
  });

  it('run in their order, those of the app first', async () => {
    const order: string[] = [];
    const noting = (name: string): CanActivate => ({
      canActivate: (context) => order.push(`${name} ${context.getType()}`) > 0,
    });
    const app = deskApp(
      { http: { guards: [noting('first'), noting('second')] } },
      { providers: [{ provide: APP_GUARD, useValue: noting('global') }] },
    );
    await using served = await serve(app, adapter);
    await served.send('tools/list');
    expect(order).toEqual(['global http', 'first http', 'second http']);
  });

  it('keep the connection where nothing is left unread', async () => {
    await using served = await serve(deskApp({ http: { guards: [{ canActivate: () => false }] } }), adapter);
    using connection = await RawConnection.open(served.origin);
    connection.send({ framing: 0 });
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([403, 'keep-alive']);
  });
});

describe.each(ADAPTERS)('a guard that does not decide on $name', (adapter) => {
  const limits = { requestTimeoutMs: 50 };
  const error = { code: -32603, message: 'The request took longer than 50 ms' };
  const guarding = (decide: () => Promise<boolean> | Observable<boolean>, type = 'http'): CanActivate => ({
    canActivate: (context) => (context.getType() === type ? decide() : true),
  });
  const never = (): Promise<boolean> => new Promise(() => undefined);

  it.each([
    ['of the app', () => deskApp({ limits }, { providers: [{ provide: APP_GUARD, useValue: guarding(never) }] })],
    ['of the endpoint', () => deskApp({ limits, http: { guards: [guarding(never)] } })],
    ['of the endpoint, an Observable', () => deskApp({ limits, http: { guards: [guarding(() => NEVER)] } })],
  ])('%s is not waited for longer than a request may take, and the body stays unread', async (_place, app) => {
    const log = new CapturedLog();
    await using served = await serve(app(), adapter, { configure: (nest) => log.attach(nest) });
    for (let round = 0; round < 2; round += 1) {
      using connection = await RawConnection.open(served.origin);
      connection.write(`${rawHead({ headers: linesOf(CALL), framing: 100_000 })}{"jsonrpc":`);
      const answer = await connection.answer();
      expect([answer.status, JSON.parse(answer.body)]).toEqual([504, { jsonrpc: '2.0', error }]);
      expect(answer.headers.get('connection')).toBe('close');
      expect(answer.headers.get('content-type')).toContain('application/json');
      await connection.closed;
    }
    const named = log.texts('warn').filter((text) => text.includes('has held a request to /mcp for 50 ms'));
    expect(named).toEqual([expect.stringContaining('Set a timeout for the operation that it waits for.')]);
  });

  it('and neither does a middleware', async () => {
    await using served = await serve(deskApp({ limits }), adapter, {
      configure: (nest) => {
        nest.enableCors();
        nest.use(() => undefined);
      },
    });
    const headers = { ...CALL.headers, origin: 'http://localhost:5173' };
    const answer = await fetch(served.url, { method: 'POST', headers, body: CALL.body });
    expect([answer.status, await answer.json()]).toEqual([504, { jsonrpc: '2.0', error }]);
    expect(answer.headers.get('access-control-allow-origin')).not.toBeNull();
  });

  it.each([
    ['lets the request pass', (gate: Gate) => gate.opened.then(() => true)],
    ['refuses the request', (gate: Gate) => gate.opened.then(() => false)],
    ['fails', (gate: Gate) => gate.opened.then(() => Promise.reject(new Error('too late')))],
  ])('and then %s is too late', async (_what, decide) => {
    const gate = new Gate();
    const log = new CapturedLog();
    await using served = await serve(deskApp({ limits, http: { guards: [guarding(() => decide(gate))] } }), adapter, {
      configure: (nest) => log.attach(nest),
    });
    using connection = await RawConnection.open(served.origin);
    connection.send({ headers: linesOf(CALL), body: CALL.body });
    const answer = await connection.answer();
    expect([answer.status, JSON.parse(answer.body)]).toEqual([504, { jsonrpc: '2.0', error }]);
    gate.open();
    await connection.closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect([served.app.get(Desk).calls, log.texts('error')]).toEqual([[], []]);
  });

  it('is waited for where requests have no limit, and while there is time', async () => {
    const gate = new Gate();
    const asked = new Gate();
    const guard = guarding(() => {
      asked.open();
      return gate.opened.then(() => true);
    });
    const unlimited = { requestTimeoutMs: Number.POSITIVE_INFINITY };
    await using served = await serve(deskApp({ limits: unlimited, http: { guards: [guard] } }), adapter);
    const answering = served.call('echo', { text: 'hi' });
    await asked.opened;
    gate.open();
    expect((await answering).status).toBe(200);
  });
});

describe.each(ADAPTERS)('the identity of a caller on $name', (adapter) => {
  it('is never set by headers or JSON of a client', async () => {
    await using served = await serve(deskApp(), adapter);
    const parts = { headers: { mcpauth: 'x', 'x-user': 'root' }, meta: { mcpAuth: 'x' } };
    const { headers, body } = mcpRequest(
      'tools/call',
      { name: 'echo', arguments: { text: 'hi' }, mcpAuth: 'x' },
      parts,
    );
    const forged = body.replace('{"jsonrpc"', '{"mcpAuth":"x","__proto__":{"mcpAuth":"x"},"jsonrpc"');
    const response = await fetch(`${served.url}?mcpAuth=x`, { method: 'POST', headers, body: forged });
    expect(response.status).toBe(200);
    await response.text();
    const { context } = served.app.get(Desk);
    expect(context?.auth).toBeUndefined();
    expect(context?.request).not.toHaveProperty('mcpAuth');
  });

  it('is nothing that the request inherits', async () => {
    const guard: CanActivate = {
      canActivate: (context) => {
        const request = context.switchToHttp().getRequest<object>();
        Object.setPrototypeOf(
          request,
          Object.create(Object.getPrototypeOf(request) as object, { mcpAuth: { value: 'inherited' } }) as object,
        );
        return true;
      },
    };
    await using served = await serve(deskApp({ http: { guards: [guard] } }), adapter);
    await served.call('echo', { text: 'hi' });
    expect(served.app.get(Desk).context?.request).toHaveProperty('mcpAuth', 'inherited');
    expect(served.app.get(Desk).context?.auth).toBeUndefined();
  });

  it('may be set by a middleware, under the property that the app configures', async () => {
    await using served = await serve(deskApp({ auth: { property: 'user' } }), adapter, {
      configure: (app) => {
        app.use((request: { user?: string; mcpAuth?: string }, _response: unknown, next: () => void) => {
          request.user = 'ada';
          request.mcpAuth = 'nobody';
          next();
        });
      },
    });
    await served.call('echo', { text: 'hi' });
    expect(served.app.get(Desk).context?.auth).toBe('ada');
  });
});

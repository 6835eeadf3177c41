import { describe, expect, it } from '@jest/globals';
import {
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  Scope,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector, REQUEST } from '@nestjs/core';
import { finalize, from, map, NEVER, of } from 'rxjs';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Auth, Tool, type McpListenerOptions } from '../../lib/index.js';
import { CapturedLog } from '../support/captured-log.js';
import { Gate } from '../support/gate.js';
import { bytesOf, listen, listenerDesk } from '../support/listener-app.js';
import { mcpRequest, type PostedRequest } from '../support/mcp-request.js';
import { ProcessFaults } from '../support/process-faults.js';
import { linesOf, rawHead } from '../support/raw-http.js';

type Seen = IncomingMessage & { mcpAuth?: unknown };

@Injectable()
class Tokens {
  isKnown(token: string): boolean {
    return token === 'Bearer ada';
  }
}

@Injectable()
class TokenGuard implements CanActivate {
  constructor(
    @Inject(Tokens) protected readonly tokens: Tokens,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Seen>();
    const response = context.switchToHttp().getResponse<ServerResponse>();
    const isPublic = this.reflector.getAllAndOverride<boolean | undefined>('public', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (isPublic === true || context.getType() !== 'http') throw new Error('unexpected context');
    const { authorization } = request.headers;
    if (authorization === undefined) {
      response.setHeader('WWW-Authenticate', 'Bearer realm="desk"');
      throw new UnauthorizedException('a token, please');
    }
    if (authorization === 'Bearer guest') throw new ForbiddenException();
    if (authorization === 'Bearer teapot') throw new HttpException('short and stout', 418);
    if (authorization === 'Bearer bug') throw new Error('a detail that must stay inside');
    if (authorization === 'Bearer odd') throw new HttpException('no refusal', 200);
    if (!this.tokens.isKnown(authorization)) return false;
    request.mcpAuth = { sub: 'ada' };
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard extends TokenGuard {
  @Inject(REQUEST) private readonly request!: Seen;

  override canActivate(context: ExecutionContext): boolean {
    if (this.request !== context.switchToHttp().getRequest()) throw new Error('another request');
    return super.canActivate(context);
  }
}

@Injectable()
class WhoTool {
  @Tool({ description: 'Says who calls' })
  who(@Auth() auth: { sub: string }): string {
    return auth.sub;
  }
}

class Refusing implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    if (http.getRequest<Seen>().headers.authorization === 'Bearer ada') return true;
    http.getResponse<ServerResponse>().setHeader('WWW-Authenticate', 'Bearer realm="tool"');
    throw new UnauthorizedException('only ada');
  }
}

@Injectable()
class SecretTool {
  @Tool({ description: 'A secret' })
  @UseGuards(Refusing)
  secret(): string {
    return 'hidden';
  }
}

const call = (name: string, authorization?: string): PostedRequest =>
  mcpRequest('tools/call', { name, arguments: {} }, { headers: { authorization } });

const CYCLE: Record<string, unknown> = { message: 'no' };
CYCLE['self'] = CYCLE;

const complain = (): never => {
  throw new Error('out of order');
};

const guarded = (guards: NonNullable<McpListenerOptions['guards']>, providers: unknown[] = []) =>
  listenerDesk({ guards }, {}, { providers: [WhoTool, Tokens, ...providers] as never });

describe.each([
  ['a class that a module provides', [TokenGuard], [TokenGuard]],
  ['an instance', [new TokenGuard(new Tokens(), new Reflector())], []],
  ['a request-scoped class', [ScopedGuard], [ScopedGuard]],
] as const)('a guard of the listener, %s', (_name, guards, providers) => {
  it.each([
    [undefined, 401, { message: 'a token, please', error: 'Unauthorized', statusCode: 401 }, 'Bearer realm="desk"'],
    ['Bearer guest', 403, { message: 'Forbidden', statusCode: 403 }, undefined],
    ['Bearer eve', 403, { message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 }, undefined],
    ['Bearer teapot', 418, { statusCode: 418, message: 'short and stout' }, undefined],
    ['Bearer bug', 500, { statusCode: 500, message: 'Internal server error' }, undefined],
    ['Bearer odd', 500, { statusCode: 500, message: 'Internal server error' }, undefined],
  ])('answers %s before a byte of the body has come', async (authorization, status, body, challenge) => {
    await using app = await listen(guarded(guards, [...providers]));
    using connection = await app.connect();
    connection.write(rawHead({ headers: linesOf(call('who', authorization)), framing: 100_000 }));
    const answer = await connection.answer();
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, body]);
    expect([answer.headers.get('www-authenticate'), answer.headers.get('connection')]).toEqual([challenge, 'close']);
    await connection.closed;
  });

  it('pass the caller to handlers', async () => {
    await using app = await listen(guarded(guards, [...providers]));
    const { message } = await app.ask(call('who', 'Bearer ada'));
    expect(message.result.content).toEqual([{ type: 'text', text: 'ada' }]);
  });
});

describe('guards of the listener', () => {
  it('run in their order until one refuses, and may promise or observe', async () => {
    const asked: string[] = [];
    const guard = (name: string, verdict: ReturnType<CanActivate['canActivate']>): CanActivate => ({
      canActivate: () => {
        asked.push(name);
        return verdict;
      },
    });
    const last = guard('never', true);
    await using app = await listen(
      guarded([guard('a', Promise.resolve(true)), guard('b', of(true)), guard('c', of(false)), last]),
    );
    expect((await app.ask(call('who'))).status).toBe(403);
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('are not asked where the door refuses', async () => {
    const asked: unknown[] = [];
    await using app = await listen(guarded([{ canActivate: () => asked.push(1) > 0 }]));
    for (const [target, method, origin, status] of [
      ['/other', 'POST', undefined, 404],
      ['/mcp', 'GET', undefined, 405],
      ['/mcp', 'POST', 'http://evil.example', 403],
    ] as const) {
      using connection = await app.connect();
      connection.send({ target, method, headers: origin === undefined ? [] : [['origin', origin]], framing: 'none' });
      expect((await connection.answer()).status).toBe(status);
    }
    expect(asked).toEqual([]);
  });

  it('write details of their errors only to the log', async () => {
    const log = new CapturedLog();
    await using app = await listen(guarded([TokenGuard], [TokenGuard]), log);
    await app.ask(call('who', 'Bearer bug'));
    const [line] = log.lines.filter(({ level }) => level === 'error');
    expect(line?.text).toMatch(/^A guard of the listener failed \[[\w-]+\]: a detail that must stay inside$/);
  });

  it.each([
    ['a cycle', () => new HttpException(CYCLE, 403)],
    ['a bigint', () => new HttpException({ since: 5n }, 403)],
    ['a status that throws', () => Object.assign(new ForbiddenException(), { getStatus: complain })],
    ['a response that throws', () => Object.assign(new ForbiddenException(), { getResponse: complain })],
    ['nothing', () => null],
    ['a symbol', () => Symbol('x')],
  ])('may throw what cannot be told, now or later: %s', async (_what, make) => {
    using faults = new ProcessFaults();
    const log = new CapturedLog();
    let isAsync = false;
    const guard = {
      canActivate: () => {
        const error = make();
        isAsync = !isAsync;
        if (isAsync) return Promise.reject(error);
        throw error;
      },
    };
    await using app = await listen(guarded([guard]), log);
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await app.ask(call('who'));
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        500,
        { statusCode: 500, message: 'Internal server error' },
      ]);
    }
    expect(log.texts('error')).toHaveLength(2);
    expect(await faults.all()).toEqual([]);
  });

  it('may have a teardown that throws', async () => {
    using faults = new ProcessFaults();
    const log = new CapturedLog();
    const verdict = from(Promise.resolve()).pipe(
      map(() => true),
      finalize(complain),
    );
    await using app = await listen(
      guarded([{ canActivate: () => verdict }, new TokenGuard(new Tokens(), new Reflector())]),
      log,
    );
    expect((await app.ask(call('who', 'Bearer ada'))).status).toBe(200);
    expect(await faults.all()).toEqual([]);
    expect(log.texts('error')).toEqual(['A guard of the listener failed at its end: out of order']);
  });

  it('may answer by themselves', async () => {
    const guard: CanActivate = {
      canActivate: (context) => {
        context.switchToHttp().getResponse<ServerResponse>().writeHead(302, { location: '/login' }).end();
        return false;
      },
    };
    await using app = await listen(guarded([guard]));
    const answer = await app.ask(call('who'));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login']);
  });

  it('have no effect if the client has left meanwhile', async () => {
    const asked = new Gate<IncomingMessage>();
    const verdict = new Gate<boolean>();
    const guard: CanActivate = {
      canActivate: (context) => {
        asked.open(context.switchToHttp().getRequest<IncomingMessage>());
        return verdict.opened;
      },
    };
    await using app = await listen(guarded([guard]));
    using connection = await app.connect();
    connection.write(bytesOf(mcpRequest('tools/call', { name: 'echo', arguments: { text: 'x' } })));
    const { socket } = await asked.opened;
    const gone = new Promise((resolve) => socket.once('close', resolve));
    connection.destroy();
    await gone;
    verdict.open(true);
    await verdict.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.desk.calls).toEqual([]);
  });

  it.each([
    ['a promise', () => new Promise<never>(() => undefined)],
    ['an Observable', () => NEVER],
  ])('are not waited for longer than a request may take: %s', async (_form, decide) => {
    const log = new CapturedLog();
    const guard: CanActivate = { canActivate: decide };
    await using app = await listen(listenerDesk({ guards: [guard] }, { limits: { requestTimeoutMs: 50 } }), log);
    for (let round = 0; round < 2; round += 1) {
      using connection = await app.connect();
      connection.write(`${rawHead({ headers: linesOf(call('echo')), framing: 100_000 })}{"jsonrpc":`);
      const answer = await connection.answer();
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        504,
        { jsonrpc: '2.0', error: { code: -32603, message: 'The request took longer than 50 ms' } },
      ]);
      expect(answer.headers.get('connection')).toBe('close');
      await connection.closed;
    }
    expect(log.texts('warn').filter((text) => text.includes('has not decided within 50 ms'))).toHaveLength(1);
  });

  it('have no effect after their time limit', async () => {
    const verdict = new Gate<boolean>();
    const guard: CanActivate = { canActivate: () => verdict.opened };
    await using app = await listen(listenerDesk({ guards: [guard] }, { limits: { requestTimeoutMs: 50 } }));
    using connection = await app.connect();
    connection.write(bytesOf(mcpRequest('tools/call', { name: 'echo', arguments: { text: 'x' } })));
    expect((await connection.answer()).status).toBe(504);
    verdict.open(true);
    await connection.closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.desk.calls).toEqual([]);
  });

  it('that cannot be made stop the app', async () => {
    @Injectable()
    class Unmakeable implements CanActivate {
      constructor(@Inject('nothing') readonly nothing: unknown) {}
      canActivate(): boolean {
        return true;
      }
    }
    await expect(listen(guarded([Unmakeable]))).rejects.toThrow('Option "listener.guards" of McpModule: Unmakeable');
  });
});

describe('guards of components behind the listener', () => {
  const app = () => listen(listenerDesk({}, {}, { providers: [SecretTool] }));

  it('see the request of Node, and refuse with its status and their challenge', async () => {
    await using served = await app();
    const refused = await served.ask(call('secret'));
    expect([refused.status, refused.message.error.code, refused.headers.get('www-authenticate')]).toEqual([
      401,
      401,
      'Bearer realm="tool"',
    ]);
    const passed = await served.ask(call('secret', 'Bearer ada'));
    expect(passed.message.result.content).toEqual([{ type: 'text', text: 'hidden' }]);
  });

  it('hide refused components', async () => {
    await using served = await app();
    const { message } = await served.send('tools/list');
    const { tools } = message.result as unknown as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).not.toContain('secret');
  });
});

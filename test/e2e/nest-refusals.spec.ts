import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  Module,
  Scope,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, REQUEST } from '@nestjs/core';
import { tap, throwError, type Observable } from 'rxjs';

import { Completion, McpExecutionContext, McpModule, McpRegistry, Prompt, Resource, Tool } from '../../lib/index.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve, type Answer, type ServedApp } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

/** What the guards of this file do next. */
let verdict: (context: ExecutionContext) => boolean | Promise<boolean> = () => true;

const judge = (context: ExecutionContext): boolean | Promise<boolean> =>
  context.getType<string>() === 'mcp' ? verdict(context) : true;

@Injectable()
class Judge implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return judge(context);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedJudge extends Judge {}

const INPUT = { type: 'object', properties: { a: { type: 'string' } } } as const;

/** A class with every kind of component, judged on its class or on its methods. */
function hostClass(onClass: readonly Type<CanActivate>[], onMethods: readonly Type<CanActivate>[]): Type<unknown> {
  @Injectable()
  @UseGuards(...onClass)
  class Host {
    @Tool({ description: 'd' })
    @UseGuards(...onMethods)
    tool(): string {
      return 'reached';
    }

    @Resource({ uri: 'docs://a', description: 'd' })
    @UseGuards(...onMethods)
    resource(): string {
      return 'reached';
    }

    @Resource({ uri: 'docs://{a}/b', description: 'd' })
    @UseGuards(...onMethods)
    template(): string {
      return 'reached';
    }

    @Prompt({ description: 'd', input: INPUT })
    @UseGuards(...onMethods)
    prompt(): string {
      return 'reached';
    }

    @Completion({ prompt: 'prompt', argument: 'a' })
    @UseGuards(...onMethods)
    completion(): string[] {
      return ['reached'];
    }
  }
  return Host;
}

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/call', { name: 'tool' }],
  ['resources/read', { uri: 'docs://a' }],
  ['resources/read', { uri: 'docs://a/b' }],
  ['prompts/get', { name: 'prompt' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'a', value: '' } }],
];

class Plain {
  run(): string[] {
    return ['reached'];
  }
}

/** Registers what `hostClass` declares. */
async function registerAll(app: ServedApp): Promise<void> {
  const registry = app.app.get(McpRegistry);
  const enhancers = { guards: [Judge] };
  const run = [Plain, 'run'] as const;
  await registry.addTool({ name: 'tool', description: 'd' }, run, enhancers);
  await registry.addResource({ name: 'a', uri: 'docs://a', description: 'd' }, run, enhancers);
  await registry.addResource({ name: 'b', uri: 'docs://{a}/b', description: 'd' }, run, enhancers);
  await registry.addPrompt({ name: 'prompt', description: 'd', input: INPUT }, run, enhancers);
  await registry.addCompletion({ prompt: 'prompt', argument: 'a' }, run, enhancers);
}

interface Level {
  readonly onClass?: readonly Type<CanActivate>[];
  readonly onMethods?: readonly Type<CanActivate>[];
  readonly global?: Type<CanActivate>;
  readonly installed?: boolean;
  readonly atRunTime?: boolean;
}

const LEVELS: Readonly<Record<string, Level>> = {
  'on the class': { onClass: [Judge] },
  'on the method': { onMethods: [Judge] },
  'on the method, request-scoped': { onMethods: [ScopedJudge] },
  'as APP_GUARD': { global: Judge },
  'as APP_GUARD, request-scoped': { global: ScopedJudge },
  'by useGlobalGuards': { installed: true },
  'at run time': { atRunTime: true },
};

async function open(level: Level, adapter: AdapterCase): Promise<ServedApp> {
  const global = level.global === undefined ? [] : [{ provide: APP_GUARD, useClass: level.global }];
  const host = level.atRunTime === true ? Plain : hostClass(level.onClass ?? [], level.onMethods ?? []);
  @Module({
    imports: [McpModule.forRoot({ name: 'judged', version: '1.0.0' })],
    providers: [host, ...global],
  })
  class JudgedModule {}
  const app = await serve(JudgedModule, adapter, {
    configure: (nest) => {
      if (level.installed === true) nest.useGlobalGuards({ canActivate: judge });
    },
  });
  if (level.atRunTime === true) await registerAll(app);
  return app;
}

const raise = (error: unknown) => (): never => {
  throw error;
};

const REFUSALS: readonly (readonly [string, typeof verdict, number, string, string | null])[] = [
  ['false', () => false, 403, 'Forbidden resource', null],
  ['a promise of false', () => Promise.resolve(false), 403, 'Forbidden resource', null],
  ['a 403', raise(new ForbiddenException('not you')), 403, 'not you', null],
  ['a 401', raise(new UnauthorizedException('who are you?')), 401, 'who are you?', 'Bearer'],
  ['a late 401', () => Promise.reject(new HttpException('late', 401)), 401, 'late', 'Bearer'],
];

const facts = ({ status, message, headers }: Answer): unknown => [
  status,
  message.error,
  message.id,
  headers.get('www-authenticate'),
  headers.get('content-type')?.split(';')[0],
];

describe.each(ADAPTERS)('a refusal by a guard on $name', (adapter) => {
  it.each(Object.entries(LEVELS))('has its HTTP status %s', async (_where, level) => {
    await using app = await open(level, adapter);
    for (const [method, params] of CALLS) {
      verdict = () => true;
      expect((await app.send(method, params)).text).toContain('reached');
      for (const [what, next, code, message, challenge] of REFUSALS) {
        verdict = next;
        const answer = await app.send(method, params, { id: 'abc' });
        const told = [code, { code, message }, 'abc', challenge, 'application/json'];
        expect([method, what, facts(answer)]).toEqual([method, what, told]);
      }
    }
  });

  it('is not a stream, even for clients that accept nothing else', async () => {
    await using app = await open({ onClass: [Judge] }, adapter);
    verdict = raise(new UnauthorizedException('who are you?'));
    const answer = await app.call('tool', {}, { id: 2 ** 40, headers: { accept: 'text/event-stream' } });
    const error = { code: 401, message: 'who are you?' };
    expect(facts(answer)).toEqual([401, error, 2 ** 40, 'Bearer', 'application/json']);
  });

  it('keeps the challenge and the details of the app', async () => {
    await using app = await open({ onClass: [Judge] }, adapter);
    const challenge = 'Bearer realm="app", resource_metadata="https://app.example/meta"';
    verdict = (context) => {
      const response = context.switchToHttp().getResponse<{ header(name: string, value: string): unknown }>();
      response.header('WWW-Authenticate', challenge);
      throw new UnauthorizedException({ message: 'expired', since: 5 });
    };
    const error = { code: 401, message: 'expired', data: { since: 5 } };
    expect(facts(await app.call('tool', {}, { id: 1 }))).toEqual([401, error, 1, challenge, 'application/json']);
  });

  it('is the last message of a stream that a guard has opened', async () => {
    await using app = await open({ onClass: [Judge] }, adapter);
    verdict = async (context) => {
      await McpExecutionContext.create(context).getContext().progress(1);
      throw new ForbiddenException('not you');
    };
    const { status, messages } = await app.call('tool', {}, { id: 'abc', meta: { progressToken: 't' } });
    expect([status, messages]).toMatchObject([
      200,
      [{ method: 'notifications/progress' }, { id: 'abc', error: { code: 403, message: 'not you' } }],
    ]);
  });

  it.each([
    ['429', new HttpException('slow down', 429), { isError: true, content: [{ text: 'slow down' }] }],
    ['404', new HttpException('not here', 404), { isError: true, content: [{ text: 'not here' }] }],
  ])('is a tool error when it is a %s', async (_status, error, result) => {
    await using app = await open({ onClass: [Judge] }, adapter);
    verdict = raise(error);
    const answer = await app.call('tool');
    expect([answer.status, answer.message.result]).toMatchObject([200, result]);
  });

  it('is an internal error if it is not an HTTP exception', async () => {
    await using app = await open({ onClass: [Judge] }, adapter);
    verdict = raise(new Error('secret'));
    const answer = await app.call('tool');
    expect([answer.status, answer.message.error.code, answer.text.includes('secret')]).toEqual([200, -32603, false]);
  });
});

class Domain extends Error {}

/** Answers of filters, by what they were given. */
@Catch(ForbiddenException)
class Softening implements ExceptionFilter {
  catch(error: ForbiddenException): unknown {
    if (error.message === 'keep') return undefined;
    if (error.message === 'hide') throw new HttpException('nothing here', 404);
    return 'softened';
  }
}

@Catch(Domain)
class Translating implements ExceptionFilter {
  catch(error: Domain): never {
    throw new UnauthorizedException(error.message);
  }
}

/** As an app writes it for its routes. */
@Catch(UnauthorizedException)
class Answering implements ExceptionFilter {
  catch(error: UnauthorizedException, host: ArgumentsHost): unknown {
    const response = host.switchToHttp().getResponse<{ status(code: number): { send(body: unknown): unknown } }>();
    return response.status(401).send({ own: error.message });
  }
}

@Injectable()
@UseGuards(Judge)
@UseFilters(Softening, Translating, Answering)
class Filtered {
  @Tool({ description: 'd' })
  tool(): string {
    return 'reached';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'filtered', version: '1.0.0' })], providers: [Filtered] })
class FilteredModule {}

describe.each(ADAPTERS)('filters before a refusal on $name', (adapter) => {
  const shared = shareApp(FilteredModule, adapter);

  it.each<[string, Error, number, unknown]>([
    ['may turn it into a result', new ForbiddenException('x'), 200, { result: { content: [{ text: 'softened' }] } }],
    ['may turn it into another', new ForbiddenException('hide'), 200, { result: { isError: true } }],
    ['may let it be', new ForbiddenException('keep'), 403, { error: { code: 403, message: 'keep' } }],
    ['may make one', new Domain('who?'), 401, { error: { code: 401, message: 'who?' } }],
    ['cannot answer it themselves', new UnauthorizedException('w'), 401, { error: { code: 401, message: 'w' } }],
  ])('%s', async (_what, error, status, message) => {
    verdict = raise(error);
    const answer = await shared.app.call('tool');
    expect([answer.status, answer.message]).toMatchObject([status, message]);
  });
});

const denial = (status: 401 | 403): HttpException =>
  status === 401 ? new UnauthorizedException('upstream') : new ForbiddenException('upstream');

let failing: 401 | 403 = 401;

class FailingPipe implements PipeTransform {
  transform(): never {
    throw denial(failing);
  }
}

class FailingBefore implements NestInterceptor {
  intercept(): Observable<never> {
    throw denial(failing);
  }
}

class FailingAfter implements NestInterceptor {
  intercept(_context: ExecutionContext, next: { handle(): Observable<unknown> }): Observable<unknown> {
    return next.handle().pipe(
      tap(() => {
        throw denial(failing);
      }),
    );
  }
}

class FailingLate implements NestInterceptor {
  intercept(): Observable<never> {
    return throwError(() => denial(failing));
  }
}

const pass: CanActivate = { canActivate: () => true };

@Injectable({ scope: Scope.REQUEST })
class Upstream {
  constructor() {
    throw denial(failing);
  }
}

@Injectable()
@UseGuards(pass)
class Business {
  @Tool({ description: 'd' })
  handler(): never {
    throw denial(failing);
  }

  @Tool({ description: 'd' })
  async late(): Promise<never> {
    return Promise.reject(denial(failing));
  }

  @Tool({ description: 'd' })
  async *streamed(): AsyncGenerator<string> {
    yield 'a';
    throw denial(failing);
  }

  @Tool({ description: 'd', input: INPUT })
  @UsePipes(FailingPipe)
  pipe(_input: unknown): void {}

  @Tool({ description: 'd' })
  @UseInterceptors(FailingBefore)
  before(): void {}

  @Tool({ description: 'd' })
  @UseInterceptors(FailingAfter)
  after(): void {}

  @Tool({ description: 'd' })
  @UseInterceptors(FailingLate)
  instead(): void {}

  @Prompt({ description: 'd' })
  prompt(): never {
    throw denial(failing);
  }
}

@Injectable()
class Unmade {
  constructor(@Inject(Upstream) readonly upstream: Upstream) {}

  @Tool({ description: 'd' })
  unmade(): void {}
}

@Module({
  imports: [McpModule.forRoot({ name: 'business', version: '1.0.0' })],
  providers: [Business, Unmade, Upstream],
})
class BusinessModule {}

describe.each(ADAPTERS)('a 401 or 403 of business code on $name', (adapter) => {
  const shared = shareApp(BusinessModule, adapter);

  describe.each([401, 403] as const)('%i', (status) => {
    it.each(['handler', 'late', 'streamed', 'pipe', 'before', 'after', 'instead', 'unmade'])(
      'of a tool is a tool error: %s',
      async (name) => {
        failing = status;
        const answer = await shared.app.call(name);
        expect([answer.status, answer.headers.get('www-authenticate'), answer.message.result]).toMatchObject([
          200,
          null,
          { isError: true, content: [{ text: 'upstream' }] },
        ]);
      },
    );

    it('of a prompt is an error in band', async () => {
      failing = status;
      const answer = await shared.app.send('prompts/get', { name: 'prompt' });
      expect([answer.status, answer.headers.get('www-authenticate'), answer.message.error]).toEqual([
        200,
        null,
        { code: 403, message: 'upstream' },
      ]);
    });
  });
});

const noted: unknown[] = [];

@Catch(HttpException)
class OwnFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): unknown {
    noted.push(host.getType());
    const reply = host.switchToHttp().getResponse<{
      status(code: number): { header(name: string, value: string): { send(body: unknown): unknown } };
    }>();
    return reply.status(error.getStatus()).header('www-authenticate', 'Custom').send({ own: error.message });
  }
}

class EndpointGuard implements CanActivate {
  canActivate(): never {
    throw new UnauthorizedException('at the endpoint');
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'door', version: '1.0.0', http: { guards: [EndpointGuard] } })],
  providers: [hostClass([], [])],
})
class GuardedEndpointModule {}

let thrown: () => Error = () => new Error('nothing was set');

class ThrowingGuard implements CanActivate {
  canActivate(): never {
    throw thrown();
  }
}

const answering = (name: string, host: ArgumentsHost): unknown =>
  host
    .switchToHttp()
    .getResponse<{ status(code: number): { send(body: unknown): unknown } }>()
    .status(418)
    .send({ by: name });

@Catch(UnauthorizedException)
class Global implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): unknown {
    return answering('a filter of the app', host);
  }
}

@Catch(SyntaxError)
@Injectable({ scope: Scope.REQUEST })
class Scoped implements ExceptionFilter {
  constructor(@Inject(REQUEST) private readonly request: { readonly headers?: object }) {}

  catch(_error: unknown, host: ArgumentsHost): unknown {
    return answering(this.request.headers === undefined ? 'nobody' : 'a filter of the request', host);
  }
}

@Catch(RangeError, ForbiddenException)
class Bound implements ExceptionFilter {
  async catch(_error: unknown, host: ArgumentsHost): Promise<unknown> {
    return answering('a filter of the endpoint', host);
  }
}

@Catch(URIError)
class OfAnotherKind implements ExceptionFilter {
  catch(error: Error): Observable<never> {
    return throwError(() => error);
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      name: 'door',
      version: '1.0.0',
      http: { guards: [ThrowingGuard], filters: [Bound, OfAnotherKind] },
    }),
  ],
  providers: [
    { provide: APP_FILTER, useClass: Global },
    { provide: APP_FILTER, useClass: Scoped },
  ],
})
class FilteredEndpointModule {}

describe.each(ADAPTERS)('what a guard of the endpoint throws on $name', (adapter) => {
  const shared = shareApp(FilteredEndpointModule, adapter);

  it.each<[string, Error, number, unknown]>([
    ['a filter of the app', new UnauthorizedException(), 418, { by: 'a filter of the app' }],
    ['a filter of the app, one for each request', new SyntaxError('x'), 418, { by: 'a filter of the request' }],
    ['a filter of the endpoint', new RangeError('x'), 418, { by: 'a filter of the endpoint' }],
    ['a filter of the endpoint, by another type', new ForbiddenException(), 418, { by: 'a filter of the endpoint' }],
    ['Nest, where a filter is not for HTTP', new URIError('x'), 500, { message: 'Internal server error' }],
    ['Nest, as an exception of HTTP', new HttpException('gone', 410), 410, { statusCode: 410, message: 'gone' }],
    ['Nest, as an unknown error', new Error('secret'), 500, { statusCode: 500, message: 'Internal server error' }],
  ])('is answered by %s', async (_who, error, status, body) => {
    thrown = () => error;
    const response = await fetch(shared.app.url, { method: 'POST', ...mcpRequest('tools/list') });
    expect([response.status, await response.json()]).toMatchObject([status, body]);
  });
});

describe.each(ADAPTERS)('a refusal by a guard of the endpoint on $name', (adapter) => {
  it('stays what a filter of the app has made of it', async () => {
    await using app = await serve(GuardedEndpointModule, adapter, {
      configure: (nest) => void nest.useGlobalFilters(new OwnFilter()),
    });
    noted.length = 0;
    const { headers, body } = mcpRequest('tools/call', { name: 'tool' });
    const response = await fetch(app.url, { method: 'POST', headers, body });
    expect([response.status, response.headers.get('www-authenticate'), await response.json()]).toEqual([
      401,
      'Custom',
      { own: 'at the endpoint' },
    ]);
    expect(noted).toEqual(['http']);
  });

  it('stays what Nest makes of it without one', async () => {
    await using app = await serve(GuardedEndpointModule, adapter);
    const { headers, body } = mcpRequest('tools/call', { name: 'tool' });
    const response = await fetch(app.url, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toMatchObject([401, { message: 'at the endpoint' }]);
  });
});

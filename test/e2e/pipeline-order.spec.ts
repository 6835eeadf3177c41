import { describe, expect, it } from '@jest/globals';
import {
  ClassSerializerInterceptor,
  Injectable,
  Module,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector } from '@nestjs/core';
import { Exclude } from 'class-transformer';
import { IsInt, Max } from 'class-validator';
import { map, of, tap, type Observable } from 'rxjs';

import { McpContext, McpExecutionContext, McpModule, Resource, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve } from '../support/served-app.js';

const trail: string[] = [];

function guard(name: string): Type<CanActivate> {
  @Injectable()
  class TracingGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      trail.push(`${name} guard ${context.getType<string>()}`);
      return true;
    }
  }
  return TracingGuard;
}

function interceptor(name: string): Type<NestInterceptor> {
  @Injectable()
  class TracingInterceptor implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      trail.push(`${name} interceptor ${context.getType<string>()}`);
      return next.handle().pipe(tap((value) => trail.push(`${name} interceptor saw ${JSON.stringify(value)}`)));
    }
  }
  return TracingInterceptor;
}

function pipe(name: string): Type<PipeTransform> {
  @Injectable()
  class TracingPipe implements PipeTransform {
    transform(value: unknown): unknown {
      trail.push(`${name} pipe`);
      return value;
    }
  }
  return TracingPipe;
}

function filter(name: string): Type<ExceptionFilter> {
  @Injectable()
  class TracingFilter implements ExceptionFilter {
    catch(error: unknown, host: ArgumentsHost): never {
      trail.push(`${name} filter ${host.getType<string>()}`);
      throw error;
    }
  }
  return TracingFilter;
}

class Limited {
  @IsInt() @Max(9) n!: number;
}

@Injectable()
@UseGuards(guard('class'))
@UseInterceptors(interceptor('class'))
@UsePipes(pipe('class'))
@UseFilters(filter('class'))
class Traced {
  @Tool({ description: 'Traced' })
  @UseGuards(guard('method'))
  @UseInterceptors(interceptor('method'))
  @UsePipes(pipe('method'))
  @UseFilters(filter('method'))
  traced({ n }: Limited): object {
    trail.push('handler');
    if (n === 0) throw new Error('zero');
    return { n };
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'traced', version: '1.0.0' })],
  providers: [
    Traced,
    { provide: APP_GUARD, useClass: guard('app') },
    { provide: APP_INTERCEPTOR, useClass: interceptor('app') },
    { provide: APP_PIPE, useClass: pipe('app') },
    { provide: APP_FILTER, useClass: filter('app') },
  ],
})
class TracedModule {}

const BEFORE = ['app guard http', 'app interceptor http'];
const GUARDS = ['app guard mcp', 'class guard mcp', 'method guard mcp'];
const INTERCEPTORS = ['app interceptor mcp', 'class interceptor mcp', 'method interceptor mcp'];
const PIPES = ['app pipe', 'class pipe', 'method pipe'];

describe.each(ADAPTERS)('the order of enhancers on $name', (adapter) => {
  const sent = async (args: object): Promise<readonly string[]> => {
    trail.length = 0;
    await using app = await serve(TracedModule, adapter);
    trail.length = 0;
    await app.call('traced', { ...args });
    return trail.filter(
      (step) => (!step.endsWith('saw undefined') && !step.endsWith(' http')) || BEFORE.includes(step),
    );
  };

  it('is guards, interceptors, pipes, handler, interceptors back; each once for a type of context', async () => {
    expect(await sent({ n: 5 })).toEqual([
      ...BEFORE,
      ...GUARDS,
      ...INTERCEPTORS,
      ...PIPES,
      'handler',
      'method interceptor saw {"n":5}',
      'class interceptor saw {"n":5}',
      'app interceptor saw {"n":5}',
    ]);
  });

  it('ends with the filter nearest to the handler', async () => {
    expect(await sent({ n: 0 })).toEqual([
      ...BEFORE,
      ...GUARDS,
      ...INTERCEPTORS,
      ...PIPES,
      'handler',
      'method filter mcp',
    ]);
  });

  it('has the schema between interceptors and pipes', async () => {
    expect(await sent({ n: 10 })).toEqual([...BEFORE, ...GUARDS, ...INTERCEPTORS, 'method filter mcp']);
  });
});

const observed: unknown[] = [];

@Injectable()
class Observing implements CanActivate, NestInterceptor {
  canActivate(context: ExecutionContext): boolean {
    return this.observe('guard', context);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.observe('interceptor', context);
    return next.handle().pipe(tap(() => this.observe('after', context)));
  }

  private observe(place: string, context: ExecutionContext): boolean {
    const mcp = McpExecutionContext.create(context);
    const http = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    observed.push({
      place,
      component: mcp.getComponent(),
      args: { ...mcp.getArguments() },
      id: mcp.getContext().requestId,
      isContext: mcp.getContext() instanceof McpContext,
      header: http.headers['x-caller'],
      same: mcp.getContext().request === http,
      where: `${context.getClass().name}.${context.getHandler().name}`,
    });
    return true;
  }
}

@Injectable()
class Denying implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    McpExecutionContext.create(context);
    return false;
  }
}

class Defaulted {
  @IsInt() @Max(9) n = 7;
}

@Injectable()
class Observed {
  @Tool({ description: 'Observed' })
  @UseGuards(Observing)
  @UseInterceptors(Observing)
  observed(args: Defaulted): object {
    return args;
  }

  @Resource({ uri: 'docs://{a}', description: 'Observed' })
  @UseGuards(Observing)
  template(): string {
    return 'a';
  }

  @Tool({ description: 'Denied' })
  @UseGuards(Denying)
  denied(_args: Limited): string {
    return 'never';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'observed', version: '1.0.0' })], providers: [Observed] })
class ObservedModule {}

describe.each(ADAPTERS)('McpExecutionContext on $name', (adapter) => {
  it('shows parsed arguments before the schema, and validated ones after it', async () => {
    await using app = await serve(ObservedModule, adapter);
    observed.length = 0;
    await app.call('observed', {}, { id: 'r1', headers: { 'x-caller': 'ada' } });
    const around = {
      component: { kind: 'tool', name: 'observed' },
      id: 'r1',
      isContext: true,
      header: 'ada',
      same: true,
      where: 'Observed.observed',
    };
    expect(observed).toEqual([
      { place: 'guard', args: {}, ...around },
      { place: 'interceptor', args: {}, ...around },
      { place: 'after', args: { n: 7 }, ...around },
    ]);
  });

  it('names a template by its source', async () => {
    await using app = await serve(ObservedModule, adapter);
    observed.length = 0;
    await app.send('resources/read', { uri: 'docs://x' });
    expect(observed).toMatchObject([{ component: { kind: 'template', name: 'docs://{a}' }, args: { a: 'x' } }]);
  });

  it('lets a guard refuse before the schema does', async () => {
    await using app = await serve(ObservedModule, adapter);
    const { message } = await app.call('denied', { n: 'wrong', extra: 1 });
    expect(message.error).toEqual({ code: 403, message: 'Forbidden resource' });
  });

  it('is refused outside of handlers', async () => {
    const failures: unknown[] = [];
    const asking: CanActivate = {
      canActivate(context) {
        try {
          McpExecutionContext.create(context);
        } catch (error) {
          failures.push(error);
        }
        return true;
      },
    };
    await using app = await serve(ObservedModule, adapter, {
      configure: (nest) => {
        nest.useGlobalGuards(asking);
      },
    });
    await app.call('observed', {});
    expect(failures).toEqual([new TypeError('This context is of type "http", not "mcp". Ask getType() first.')]);
  });
});

class Account {
  name = 'Ada';
  @Exclude() password = 'hush';

  constructor(fields: Partial<Account> = {}) {
    Object.assign(this, fields);
  }
}

@Injectable()
class Wrapping implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return context.getType() === 'http' ? next.handle().pipe(map((data) => ({ data }))) : next.handle();
  }
}

@Injectable()
class WrappingAll implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data: data ?? null })));
  }
}

@Injectable()
class Cached implements NestInterceptor {
  intercept(): Observable<unknown> {
    return of({ cached: true });
  }
}

/** As an app has it that sets headers on its responses. */
@Injectable()
class WritingHeaders implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context
      .switchToHttp()
      .getResponse<{ header(name: string, value: string): unknown; status(code: number): unknown }>();
    if (context.getType<string>() === 'mcp') {
      response.header('content-type', 'text/html');
      response.status(418);
    }
    return next.handle();
  }
}

@Injectable()
class Accounts {
  @Tool({ description: 'An account' })
  account(): Account {
    return new Account();
  }

  @Tool({ description: 'From a cache' })
  @UseInterceptors(Cached)
  cached(): object {
    return { cached: false };
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'accounts', version: '1.0.0' })], providers: [Accounts] })
class AccountsModule {}

describe.each(ADAPTERS)('interceptors on $name', (adapter) => {
  it.each([
    ['none', undefined, { name: 'Ada', password: 'hush' }],
    ['the class serializer', new ClassSerializerInterceptor(new Reflector()), { name: 'Ada' }],
    ['one that wraps answers of routes', new Wrapping(), { name: 'Ada', password: 'hush' }],
    ['one that wraps everything', new WrappingAll(), { data: { name: 'Ada', password: 'hush' } }],
    ['one that writes to the response', new WritingHeaders(), { name: 'Ada', password: 'hush' }],
  ] as [string, NestInterceptor | undefined, object][])(
    'with %s, change values and never the envelope',
    async (_what, global, expected) => {
      await using plain = await serve(AccountsModule, adapter);
      await using app = await serve(AccountsModule, adapter, {
        configure: (nest) => {
          if (global !== undefined) nest.useGlobalInterceptors(global);
        },
      });
      const answer = await app.call('account');
      expect(answer.status).toBe(200);
      expect(answer.message.result.structuredContent).toEqual(expected);
      const untouched: readonly (readonly [string, object])[] = [
        ['server/discover', {}],
        ['tools/list', {}],
        ['tools/call', { name: 'nobody' }],
        ['no/such', {}],
      ];
      for (const [method, params] of untouched) {
        const [theirs, ours] = [await app.send(method, { ...params }), await plain.send(method, { ...params })];
        expect([theirs.status, theirs.text]).toEqual([ours.status, ours.text]);
      }
    },
  );

  it('answer in place of the handler', async () => {
    await using app = await serve(AccountsModule, adapter);
    expect((await app.call('cached')).message.result.structuredContent).toEqual({ cached: true });
  });
});

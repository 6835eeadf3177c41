import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import { map, type Observable } from 'rxjs';

import {
  McpExecutionContext,
  McpModule,
  McpRegistry,
  type ComponentEnhancers,
  type HandlerMethod,
} from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';

type Guard = Type<CanActivate> | CanActivate;

const denies = (context: ExecutionContext): boolean => context.getType<string>() !== 'mcp';

@Injectable()
class Rules {
  allow(context: ExecutionContext): boolean {
    return denies(context);
  }
}

@Injectable()
class Denying implements CanActivate {
  constructor(private readonly rules: Rules) {}

  canActivate(context: ExecutionContext): boolean {
    return this.rules.allow(context);
  }
}

/** No module provides it. */
@Injectable()
class Unprovided implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return denies(context);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedDenying implements CanActivate {
  constructor(
    @Inject(REQUEST) private readonly request: { headers?: object },
    private readonly rules: Rules,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    return Object.keys(this.request.headers as object).length > 0 && this.rules.allow(context);
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientDenying implements CanActivate {
  constructor(private readonly rules: Rules) {}

  canActivate(context: ExecutionContext): boolean {
    return this.rules.allow(context);
  }
}

const reached: string[] = [];

@Injectable()
class Plain {
  run(): string[] {
    reached.push('plain');
    return ['reached'];
  }
}

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  run(): string[] {
    reached.push('scoped');
    return ['reached'];
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class Transient {
  run(): string[] {
    reached.push('transient');
    return ['reached'];
  }
}

@Controller('routes')
class Routes {
  run(): string[] {
    reached.push('controller');
    return ['reached'];
  }
}

@Injectable()
class Guarded {
  @UseGuards(Denying)
  run(): string[] {
    reached.push('guarded');
    return ['reached'];
  }
}

@Injectable()
class Other extends Plain {}

type Handler = (() => unknown) | HandlerMethod;

const HANDLERS: Readonly<Record<string, Handler>> = {
  function: () => {
    reached.push('function');
    return ['reached'];
  },
  'method of a provider': [Plain, 'run'],
  'method of a token': ['PLAIN', 'run'],
  'method of an alias': ['ALIAS', 'run'],
  'method of a value': ['VALUE', 'run'],
  'method of a request-scoped provider': [Scoped, 'run'],
  'method of a transient provider': [Transient, 'run'],
  'method of a controller': [Routes, 'run'],
};

function moduleWith(global?: Type<CanActivate>): Type<unknown> {
  @Module({ providers: [Denying, ScopedDenying, TransientDenying, Rules] })
  class GuardsModule {}
  @Module({
    imports: [McpModule.forRoot({ name: 'enhanced', version: '1.0.0' }), GuardsModule],
    controllers: [Routes],
    providers: [
      ...[Plain, Scoped, Transient, Guarded, Rules],
      { provide: 'PLAIN', useClass: Other },
      { provide: 'ALIAS', useExisting: Plain },
      { provide: 'VALUE', useValue: new Plain() },
      ...(global === undefined ? [] : [{ provide: APP_GUARD, useClass: global }]),
    ],
  })
  class EnhancedModule {}
  return EnhancedModule;
}

const registryOf = ({ app }: ServedApp): McpRegistry => app.get(McpRegistry, { strict: false });

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/call', { name: 'tool' }],
  ['resources/read', { uri: 'docs://a' }],
  ['resources/read', { uri: 'docs://a/b' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'a', value: '' } }],
];

/** What one component of each kind around one handler answers. */
async function answersOf({ app }: SharedApp, handler: Handler, enhancers?: ComponentEnhancers): Promise<unknown[]> {
  const registry = registryOf(app);
  const method = handler as HandlerMethod;
  const input = { type: 'object', properties: { a: { type: 'string' } } } as const;
  const handles = [
    await registry.addTool({ name: 'tool', description: 'd', input }, method, enhancers),
    await registry.addResource({ name: 'exact', uri: 'docs://a', description: 'd' }, method, enhancers),
    await registry.addResource({ name: 'template', uri: 'docs://{a}/b', description: 'd' }, method, enhancers),
    await registry.addPrompt({ name: 'prompt', description: 'd', input }, () => ''),
    await registry.addCompletion({ prompt: 'prompt', argument: 'a' }, method, enhancers),
  ];
  reached.length = 0;
  try {
    const answers: unknown[] = [];
    for (const [request, params] of CALLS) {
      const { message } = await app.send(request, params);
      answers.push(message.error ?? message.result);
    }
    return answers;
  } finally {
    for (const handle of handles) handle.remove();
  }
}

const REFUSAL = { code: 403, message: 'Forbidden resource' };
const DENIED = [REFUSAL, REFUSAL, REFUSAL, REFUSAL];
const SERVED = [
  { structuredContent: ['reached'] },
  { contents: [{ text: '["reached"]' }] },
  { contents: [{ text: '["reached"]' }] },
  { completion: { values: ['reached'] } },
];

const GUARDS: Readonly<Record<string, Guard>> = {
  'a class of another module': Denying,
  'a class of no module': Unprovided,
  'a request-scoped class': ScopedDenying,
  'a transient class': TransientDenying,
  'an instance': { canActivate: denies },
};

describe.each(ADAPTERS)('a guard of a registration on $name', (adapter) => {
  const shared = shareApp(moduleWith(), adapter);

  describe.each(Object.entries(HANDLERS))('around a %s', (_what, handler) => {
    it('is refused if it is missing', async () => {
      expect(await answersOf(shared, handler)).toMatchObject(SERVED);
      expect(reached).toHaveLength(CALLS.length);
    });

    it.each(Object.entries(GUARDS))('denies as %s', async (_kind, guard) => {
      expect(await answersOf(shared, handler, { guards: [guard] })).toMatchObject(DENIED);
      expect(reached).toEqual([]);
    });
  });

  it('does not replace that of the method', async () => {
    const allowing = { canActivate: () => true };
    expect(await answersOf(shared, [Guarded, 'run'], { guards: [allowing] })).toMatchObject(DENIED);
    expect(reached).toEqual([]);
  });
});

describe.each(ADAPTERS)('a guard of the app on $name', (adapter) => {
  describe.each([Denying, ScopedDenying, TransientDenying])('as %p', (guard) => {
    const shared = shareApp(moduleWith(guard), adapter);

    it.each(Object.entries(HANDLERS))('denies a %s', async (_what, handler) => {
      expect(await answersOf(shared, handler)).toMatchObject(DENIED);
      expect(reached).toEqual([]);
    });
  });
});

const steps: string[] = [];

const guard = (name: string): CanActivate => ({ canActivate: () => steps.push(`guard ${name}`) > 0 });
const interceptor = (name: string): NestInterceptor => ({
  intercept: (_context, next) => {
    steps.push(`interceptor ${name}`);
    return next.handle().pipe(map((value) => `${String(value)} ${name}`));
  },
});
const pipe = (name: string): PipeTransform => ({
  transform: (value: unknown, { type }) => {
    if (type === 'body') steps.push(`pipe ${name}`);
    return value;
  },
});

@Catch(TypeError)
class TypeErrors implements ExceptionFilter {
  catch(error: unknown): string {
    steps.push('filter of the registration');
    return `caught ${(error as Error).message}`;
  }
}

@Catch()
class Everything implements ExceptionFilter {
  catch(error: unknown): string {
    steps.push('filter of the method');
    return `caught later: ${(error as Error).message}`;
  }
}

@UseGuards(guard('of the class'))
@UseInterceptors(interceptor('of the class'))
@UsePipes(pipe('of the class'))
class Ordered {
  @UseGuards(guard('of the method'))
  @UseInterceptors(interceptor('of the method'))
  @UsePipes(pipe('of the method'))
  @UseFilters(Everything)
  run({ fails }: { fails?: string }): string {
    steps.push('handler');
    if (fails === 'type') throw new TypeError('of a type');
    if (fails !== undefined) throw new Error('of any kind');
    return 'done';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'ordered', version: '1.0.0' })], providers: [Ordered] })
class OrderedModule {}

const ALL: ComponentEnhancers = {
  guards: [guard('of the registration')],
  interceptors: [interceptor('of the registration')],
  pipes: [pipe('of the registration')],
  filters: [TypeErrors],
};
const INPUT = { type: 'object', properties: { fails: { type: 'string' } } } as const;

describe.each(ADAPTERS)('enhancers of a registration on $name', (adapter) => {
  it('run inside those of class and method', async () => {
    await using app = await serve(OrderedModule, adapter);
    await registryOf(app).addTool({ name: 'ordered', description: 'd', input: INPUT }, [Ordered, 'run'], ALL);
    steps.length = 0;
    const { message } = await app.call('ordered', {});
    expect(message.result.content).toMatchObject([{ text: 'done of the registration of the method of the class' }]);
    const places = ['of the class', 'of the method', 'of the registration'];
    expect(steps).toEqual([
      ...['guard', 'interceptor', 'pipe'].flatMap((kind) => places.map((place) => `${kind} ${place}`)),
      'handler',
    ]);
    expect((await app.call('ordered', { fails: 'type' })).text).toContain('caught of a type');
    expect((await app.call('ordered', { fails: 'other' })).text).toContain('caught later: of any kind');
  });

  it('run around functions, after the schema has validated the arguments', async () => {
    await using app = await serve(OrderedModule, adapter);
    await registryOf(app).addTool(
      { name: 'fn', description: 'd', input: INPUT },
      ({ fails }) => {
        steps.push('handler');
        if (fails !== undefined) throw new TypeError('of a type');
        return 'done';
      },
      ALL,
    );
    steps.length = 0;
    expect((await app.call('fn', {})).message.result.content).toMatchObject([{ text: 'done of the registration' }]);
    expect(steps).toEqual([
      ...['guard', 'interceptor', 'pipe'].map((kind) => `${kind} of the registration`),
      'handler',
    ]);
    expect((await app.call('fn', { fails: 'type' })).text).toContain('caught of a type');
    steps.length = 0;
    expect((await app.call('fn', { fails: 5 })).message.result.isError).toBe(true);
    expect(steps).toEqual(['guard of the registration', 'interceptor of the registration']);
  });

  it('see the function, what decorators left on it, and the component', async () => {
    await using app = await serve(OrderedModule, adapter);
    const seen: unknown[] = [];
    const looking: CanActivate = {
      canActivate: (context) => {
        const { kind, name } = McpExecutionContext.create(context).getComponent();
        seen.push(Reflect.getMetadata('roles', context.getHandler()), context.getHandler().name, kind, name);
        return true;
      },
    };
    const open = (): string => 'open';
    SetMetadata('roles', ['admin'])(open);
    await registryOf(app).addTool({ name: 'named', description: 'd' }, open, { guards: [looking] });
    await app.call('named');
    expect(seen).toEqual([['admin'], 'open', 'tool', 'named']);
  });
});

@Injectable({ scope: Scope.REQUEST })
class Session {
  tenant = 'nobody';

  constructor(@Inject(REQUEST) readonly request: { headers: Readonly<Record<string, string>> }) {}
}

@Injectable({ scope: Scope.REQUEST })
class TenantGuard implements CanActivate {
  constructor(private readonly session: Session) {}

  canActivate(): boolean {
    this.session.tenant = this.session.request.headers['x-tenant'] ?? '';
    return this.session.tenant !== '';
  }
}

@Injectable({ scope: Scope.REQUEST })
class TenantInterceptor implements NestInterceptor {
  constructor(private readonly session: Session) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value) => `${String(value)}, after ${this.session.tenant}`));
  }
}

@Injectable({ scope: Scope.REQUEST })
class TenantPipe implements PipeTransform {
  constructor(private readonly session: Session) {}

  transform(value: unknown): unknown {
    return typeof value === 'object' && value !== null && 'fails' in value ? { fails: this.session.tenant } : value;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Tenants {
  constructor(private readonly session: Session) {}

  who({ fails }: { fails: string }): string {
    return `${this.session.tenant} and ${fails}`;
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'tenants', version: '1.0.0' })],
  providers: [Session, TenantGuard, TenantInterceptor, TenantPipe, Tenants],
})
class TenantsModule {}

async function askAs(app: ServedApp, name: string, tenant: string): Promise<unknown> {
  const { message } = await app.call(name, { fails: 'x' }, { headers: { 'x-tenant': tenant } });
  return message.error ?? message.result.content;
}

describe.each(ADAPTERS)('request-scoped enhancers of a registration on $name', (adapter) => {
  it('live in one context with their handler, and see the real request', async () => {
    await using app = await serve(TenantsModule, adapter);
    const scoped = { guards: [TenantGuard], interceptors: [TenantInterceptor], pipes: [TenantPipe] };
    await registryOf(app).addTool({ name: 'who', description: 'd', input: INPUT }, [Tenants, 'who'], scoped);
    await registryOf(app).addTool({ name: 'fn', description: 'd', input: INPUT }, ({ fails }) => String(fails), scoped);
    const answers = await Promise.all(
      ['a', 'b'].flatMap((tenant) => [askAs(app, 'who', tenant), askAs(app, 'fn', tenant)]),
    );
    expect(answers).toMatchObject([
      [{ text: 'a and a, after a' }],
      [{ text: 'a, after a' }],
      [{ text: 'b and b, after b' }],
      [{ text: 'b, after b' }],
    ]);
    expect(await askAs(app, 'who', '')).toEqual(REFUSAL);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  createParamDecorator,
  Headers,
  Inject,
  Injectable,
  Ip,
  Module,
  Req,
  Res,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, ContextIdFactory, NestFactory, REQUEST } from '@nestjs/core';

import type { McpClient } from '../../lib/client/index.js';
import { McpContext, McpModule, McpServer, Tool } from '../../lib/index.js';
import {
  asked,
  BARE_HOSTS,
  ByTenant,
  callsOf,
  denyingGuards,
  HOSTS,
  KINDS,
  moduleFor,
  reached,
  register,
  Rules,
  RUNTIME_HOSTS,
  type Binding,
  type Guard,
  type HostPlan,
} from '../support/guarded-hosts.js';
import '../support/mcp-matchers.js';
import { throttlerPackage } from '../support/throttler-package.js';

/** Applies to what this file imports alone. */
ContextIdFactory.apply(new ByTenant());

interface App {
  readonly client: McpClient;
  readonly close: () => Promise<void>;
}

async function open(
  module: DynamicModule,
  prepare?: (app: App['client'], context: unknown) => Promise<void>,
): Promise<App> {
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const client = app.get(McpServer, { strict: false }).connect({ headers: { 'X-Tenant': 'acme' } });
  await prepare?.(client, app);
  return { client, close: () => app.close() };
}

const serverModule = McpModule.forRoot({ name: 'inside', version: '1.0.0', http: false });

const { DenyingGuard, ScopedDenyingGuard, TransientDenyingGuard, instance } = denyingGuards('mcp');

const GUARDS: Readonly<Record<string, Guard>> = {
  class: DenyingGuard,
  'request-scoped class': ScopedDenyingGuard,
  'transient class': TransientDenyingGuard,
  instance,
};

const LEVELS: Readonly<Record<string, (guard: Guard) => Binding>> = {
  'on the class': (guard) => ({ onClass: [guard] }),
  'on the methods': (guard) => ({ onMethods: [guard] }),
};

async function verdictsOf(client: McpClient, id: string): Promise<readonly string[]> {
  reached.length = 0;
  asked.length = 0;
  const verdicts: string[] = [];
  for (const [method, params] of callsOf(id)) {
    const verdict = await client.request(method, params).then(
      () => 'served',
      ({ rpcCode, message }: { rpcCode: number; message: string }) => `${rpcCode} ${message}`,
    );
    verdicts.push(verdict);
  }
  return verdicts;
}

const DENIED = KINDS.map(() => '403 Forbidden resource');

describe.each(Object.keys(GUARDS))('a denying guard, %s, without HTTP', (name) => {
  const guard = GUARDS[name] ?? instance;
  const bare = typeof guard === 'function' ? {} : BARE_HOSTS;

  it.each(Object.keys(LEVELS))('denies on every kind of host, %s', async (level) => {
    const plans = Object.entries({ ...HOSTS, ...bare }).map(([host, place], index) => {
      const plan: HostPlan = { id: `h${index}`, ...LEVELS[level]?.(guard) };
      return { host, plan, place };
    });
    @Module({})
    class AppModule {}
    const imports = [serverModule, ...plans.map(({ plan, place }) => moduleFor(place(plan)))];
    const app = await open({ module: AppModule, imports });
    for (const { host, plan } of plans) {
      const verdicts = await verdictsOf(app.client, plan.id);
      expect({ host, verdicts, reached, asked }).toEqual({
        host,
        verdicts: DENIED,
        reached: [],
        asked: KINDS.map(() => name),
      });
    }
    await app.close();
  });

  it('denies components that are registered at run time', async () => {
    const plans = Object.entries(RUNTIME_HOSTS).map(([host, runtime], index) => {
      return { host, runtime, plan: { id: `r${index}`, registered: { guards: [guard] } } };
    });
    @Module({})
    class AppModule {}
    const imports = [serverModule, ...plans.map(({ plan, runtime }) => moduleFor(runtime.place(plan)))];
    const app = await open(
      { module: AppModule, imports, providers: [Rules, DenyingGuard, ScopedDenyingGuard, TransientDenyingGuard] },
      async (_client, context) => {
        for (const { runtime, plan } of plans) await register({ app: context as never }, runtime, plan);
      },
    );
    for (const { host, plan } of plans) {
      expect({ host, verdicts: await verdictsOf(app.client, plan.id), reached }).toEqual({
        host,
        verdicts: DENIED,
        reached: [],
      });
    }
    await app.close();
  });
});

const trail: string[] = [];

@Injectable()
class TracingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    trail.push(`guard ${context.getType()}`);
    return true;
  }
}

@Injectable()
class TracingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<NestInterceptor['intercept']> {
    trail.push(`interceptor ${context.getType()}`);
    return next.handle();
  }
}

@Catch()
class TracingFilter implements ExceptionFilter {
  catch(error: unknown): never {
    trail.push('filter');
    throw error;
  }
}

interface SeenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: object;
  get(name: string): string | undefined;
  user?: unknown;
}

/** As an app has it for its routes. */
@Injectable()
class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<SeenRequest>();
    if (request.headers['authorization'] !== 'Bearer right') return false;
    request.user = { name: 'Ada' };
    context.switchToHttp().getResponse<{ setHeader(name: string, value: string): void }>().setHeader('x-seen', '1');
    return true;
  }
}

const User = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SeenRequest>().user,
);

@Injectable({ scope: Scope.REQUEST })
class PerCall {
  static made = 0;

  constructor(@Inject(REQUEST) readonly request: SeenRequest) {
    PerCall.made += 1;
  }
}

@Injectable()
class Insider {
  constructor(private readonly perCall: PerCall) {}

  @Tool({ description: 'Tells what it sees' })
  @UseGuards(BearerGuard)
  look(
    @Req() request: SeenRequest,
    @Headers('authorization') authorization: string,
    @Ip() ip: string,
    @User() user: unknown,
    @Res() response: { getHeader(name: string): unknown; status(code: number): { json(body: unknown): unknown } },
    context: McpContext,
  ): object {
    response.status(500).json({ ignored: true });
    return {
      isSame: request === this.perCall.request,
      authorization,
      ip,
      user,
      seen: response.getHeader('X-Seen') ?? null,
      query: request.query,
      viaGet: request.get('AUTHORIZATION') ?? null,
      auth: context.auth ?? null,
    };
  }
}

describe('Nest around a call in process', () => {
  @Module({
    imports: [McpModule.forRoot({ name: 'inside', version: '1.0.0', http: false, auth: { property: 'user' } })],
    providers: [
      Insider,
      PerCall,
      { provide: APP_GUARD, useClass: TracingGuard },
      { provide: APP_INTERCEPTOR, useClass: TracingInterceptor },
      { provide: APP_FILTER, useClass: TracingFilter },
    ],
  })
  class InsideModule {}

  const openInside = async (authorization: string): Promise<App> => {
    const app = await NestFactory.createApplicationContext(InsideModule, { logger: false, abortOnError: false });
    const client = app.get(McpServer, { strict: false }).connect({ headers: { Authorization: authorization } });
    return { client, close: () => app.close() };
  };

  it('finds a request and a response where an HTTP guard looks for them', async () => {
    const { client, close } = await openInside('Bearer right');
    await expect(client.callTool('look')).toBeToolJson({
      isSame: true,
      authorization: 'Bearer right',
      ip: '127.0.0.1',
      user: { name: 'Ada' },
      seen: '1',
      query: {},
      viaGet: 'Bearer right',
      auth: { name: 'Ada' },
    });
    const { made } = PerCall;
    await client.callTool('look');
    expect(PerCall.made).toBe(made + 1);
    await close();
  });

  it('runs global enhancers once, for the method', async () => {
    const { client, close } = await openInside('Bearer right');
    trail.length = 0;
    await client.callTool('look');
    expect(trail).toEqual(['guard mcp', 'interceptor mcp']);
    await close();
  });

  it('lets a guard of a class refuse, through the filters', async () => {
    const { client, close } = await openInside('Bearer wrong');
    trail.length = 0;
    await expect(client.callTool('look')).toBeRefused({ code: 403, message: 'Forbidden resource' });
    expect(trail).toEqual(['guard mcp', 'filter']);
    await expect(client.listTools()).not.toList('look');
    await close();
  });
});

describe('more of Nest in process', () => {
  const { Throttle, ThrottlerGuard, ThrottlerModule } = throttlerPackage;

  @Catch()
  class KindFilter implements ExceptionFilter {
    catch(): string {
      return 'There was a problem, try later';
    }
  }

  @Injectable()
  class Limited {
    @Tool({ description: 'd' })
    @Throttle({ default: { limit: 2, ttl: 60_000 } })
    @UseGuards(ThrottlerGuard)
    often(): string {
      return 'done';
    }

    @Tool({ description: 'd' })
    @UseInterceptors(TracingInterceptor)
    @UseFilters(KindFilter)
    broken(): never {
      throw new Error('a detail that must stay inside');
    }
  }

  @Module({
    imports: [serverModule, ThrottlerModule.forRoot([{ limit: 100, ttl: 60_000 }])],
    providers: [Limited],
  })
  class LimitedModule {}

  it('throttles, and lets filters change an outcome', async () => {
    const app = await NestFactory.createApplicationContext(LimitedModule, { logger: false, abortOnError: false });
    const client = app.get(McpServer, { strict: false }).connect();
    await expect(client.callTool('often')).toBeToolText('done');
    await expect(client.callTool('often')).toBeToolText('done');
    await expect(client.callTool('often')).toBeToolError(/Too Many Requests/);
    await expect(client.callTool('broken')).toBeToolText('There was a problem, try later');
    await app.close();
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type OnModuleInit,
} from '@nestjs/common';
import {
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import type { Observable } from 'rxjs';

import { McpContext, McpModule, Prompt, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve } from '../support/served-app.js';

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
}

let made = 0;

@Injectable({ scope: Scope.REQUEST })
class Session {
  readonly number: number;

  constructor(@Inject(REQUEST) readonly request: HttpRequest) {
    made += 1;
    this.number = made;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Around implements NestInterceptor {
  constructor(private readonly session: Session) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getRequest<{ around?: number }>().around = this.session.number;
    return next.handle();
  }
}

@Injectable()
@UseInterceptors(Around)
class Scoped {
  constructor(private readonly session: Session) {}

  @Tool({ description: 'Who' })
  who(context: McpContext): object {
    const { request, number } = this.session;
    return {
      tenant: request.headers['x-tenant'],
      number,
      around: (request as { around?: number }).around,
      same: request === context.request,
    };
  }

  @Prompt({ description: 'Who' })
  ask(): string {
    return this.session.request.headers['x-tenant'] ?? '';
  }
}

@Controller('scoped')
class ScopedController {
  constructor(private readonly session: Session) {}

  @Tool({ description: 'Who, on a controller' })
  controlled(): object {
    return { tenant: this.session.request.headers['x-tenant'], number: this.session.number };
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'scoped', version: '1.0.0' })],
  controllers: [ScopedController],
  providers: [Scoped, Session],
})
class ScopedModule {}

describe.each(ADAPTERS)('request-scoped hosts on $name', (adapter) => {
  it('are made once a call, with the real request', async () => {
    await using app = await serve(ScopedModule, adapter);
    made = 0;
    const first = await app.call('who', {}, { headers: { 'x-tenant': 'a' } });
    expect(first.message.result.structuredContent).toEqual({ tenant: 'a', number: 1, around: 1, same: true });
    const second = await app.call('controlled', {}, { headers: { 'x-tenant': 'b' } });
    expect(second.message.result.structuredContent).toEqual({ tenant: 'b', number: 2 });
    const third = await app.send('prompts/get', { name: 'ask' }, { headers: { 'x-tenant': 'c' } });
    expect(third.message.result.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'c' } }]);
    expect(made).toBe(3);
  });

  it('are not made for lists', async () => {
    await using app = await serve(ScopedModule, adapter);
    made = 0;
    await app.send('tools/list');
    await app.send('server/discover');
    expect(made).toBe(0);
  });

  it('never mix calls that run together', async () => {
    await using app = await serve(ScopedModule, adapter);
    const tenants = Array.from({ length: 20 }, (_, index) => `t${index}`);
    const answers = await Promise.all(
      tenants.map((tenant) => app.call('who', {}, { headers: { 'x-tenant': tenant } })),
    );
    expect(answers.map(({ message }) => message.result.structuredContent?.['tenant'])).toEqual(tenants);
    expect(new Set(answers.map(({ message }) => message.result.structuredContent?.['number'])).size).toBe(
      tenants.length,
    );
  });
});

@Injectable()
class Dependency {
  readonly word = 'injected';
}

@Injectable({ scope: Scope.TRANSIENT })
class Passing {
  private calls = 0;

  constructor(private readonly dependency: Dependency) {}

  @Tool({ description: 'Counts its own calls' })
  passing(): object {
    this.calls += 1;
    return { calls: this.calls, word: this.dependency.word };
  }
}

@Injectable()
class Lasting implements OnModuleInit {
  private calls = 0;
  private ready = false;

  constructor(private readonly dependency: Dependency) {}

  onModuleInit(): void {
    this.ready = true;
  }

  @Tool({ description: 'Counts all calls' })
  lasting(): object {
    this.calls += 1;
    return { calls: this.calls, word: this.dependency.word, ready: this.ready };
  }
}

class Made {
  constructor(private readonly word: string) {}

  @Tool({ description: 'Made by a factory' })
  made(): string {
    return this.word;
  }
}

class Given {
  constructor(private readonly word: string) {}

  @Tool({ description: 'Given as a value' })
  given(): string {
    return this.word;
  }
}

@Injectable()
class Tokened {
  constructor(private readonly dependency: Dependency) {}

  @Tool({ description: 'Under a token' })
  tokened(): string {
    return this.dependency.word;
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'hosts', version: '1.0.0' })],
  providers: [
    Dependency,
    Passing,
    Lasting,
    {
      provide: 'made',
      useFactory: async ({ word }: Dependency) => new Made(await Promise.resolve(word)),
      inject: [Dependency],
    },
    { provide: 'given', useValue: new Given('given') },
    { provide: 'tokened', useClass: Tokened },
    { provide: 'alias', useExisting: Lasting },
    { provide: 'null', useValue: null },
    { provide: 'plain', useValue: { made: (): string => 'no component' } },
    { provide: 'nothing', useFactory: () => undefined },
    { provide: 'bare', useValue: Object.create(null) as object },
  ],
})
class HostsModule {}

describe.each(ADAPTERS)('hosts on $name', (adapter) => {
  it('are found wherever a module provides them, and once each', async () => {
    await using app = await serve(HostsModule, adapter);
    const { message } = await app.send('tools/list');
    const tools = message.result.tools as unknown as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(['passing', 'lasting', 'made', 'given', 'tokened']);
  });

  it.each([
    ['made', 'injected'],
    ['given', 'given'],
    ['tokened', 'injected'],
  ])('run with their own state: %s', async (tool, expected) => {
    await using app = await serve(HostsModule, adapter);
    expect((await app.call(tool)).message.result.content).toEqual([{ type: 'text', text: expected }]);
  });

  it('last for the app, unless they are transient', async () => {
    await using app = await serve(HostsModule, adapter);
    await app.call('lasting');
    await app.call('passing');
    expect((await app.call('lasting')).message.result.structuredContent).toEqual({
      calls: 2,
      word: 'injected',
      ready: true,
    });
    expect((await app.call('passing')).message.result.structuredContent).toEqual({ calls: 1, word: 'injected' });
  });
});

@Injectable({ scope: Scope.REQUEST, durable: true })
class Tenant {
  private calls = 0;

  constructor(@Inject(REQUEST) private readonly payload: { tenant: string }) {}

  next(): object {
    this.calls += 1;
    return { tenant: this.payload.tenant, calls: this.calls };
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class Durable {
  constructor(private readonly tenant: Tenant) {}

  @Tool({ description: 'Counts the calls of a tenant' })
  count(): object {
    return this.tenant.next();
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'durable', version: '1.0.0' })], providers: [Durable, Tenant] })
class DurableModule {}

class ByTenant implements ContextIdStrategy {
  private readonly ids = new Map<string, ContextId>();

  attach(contextId: ContextId, request: HttpRequest): ReturnType<ContextIdStrategy['attach']> {
    const tenant = request.headers['x-tenant'] ?? '';
    const shared = this.ids.get(tenant) ?? ContextIdFactory.create();
    this.ids.set(tenant, shared);
    return {
      resolve: (info: HostComponentInfo) => (info.isTreeDurable ? shared : contextId),
      payload: { tenant },
    };
  }
}

describe.each(ADAPTERS)('durable hosts on $name', (adapter) => {
  it('are made once a tenant', async () => {
    ContextIdFactory.apply(new ByTenant());
    await using app = await serve(DurableModule, adapter);
    const count = async (tenant: string): Promise<unknown> =>
      (await app.call('count', {}, { headers: { 'x-tenant': tenant } })).message.result.structuredContent;
    expect(await count('a')).toEqual({ tenant: 'a', calls: 1 });
    expect(await count('b')).toEqual({ tenant: 'b', calls: 1 });
    expect(await count('a')).toEqual({ tenant: 'a', calls: 2 });
  });
});

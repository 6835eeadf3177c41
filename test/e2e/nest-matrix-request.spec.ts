import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createParamDecorator,
  Headers,
  Inject,
  Injectable,
  Ip,
  Module,
  Query,
  Req,
  Scope,
  UseGuards,
  type ArgumentMetadata,
  type CanActivate,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';

import { Completion, McpContext, McpModule, McpRegistry, Prompt, Resource, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { isCollected } from '../support/collected.js';
import { mcpRequest } from '../support/mcp-request.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';

interface FrameworkRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  readonly ip: string;
  /** Only requests of Fastify wrap that of Node. */
  readonly raw?: object;
  user?: string;
}

/** What one call saw, in the order of its places; tests empty them. */
const requests: (readonly [place: string, request: FrameworkRequest])[] = [];
const taken: unknown[] = [];
const sessions: WeakRef<Session>[] = [];

const requestOf = (host: ExecutionContext): FrameworkRequest => host.switchToHttp().getRequest<FrameworkRequest>();

/** As any app has it for its routes. */
@Injectable()
class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    requests.push([`${context.getType<string>()} guard`, request]);
    const token = request.headers['authorization'];
    if (token === undefined) return false;
    request.user = token.slice('Bearer '.length);
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Session {
  readonly number: number;

  constructor(@Inject(REQUEST) readonly request: FrameworkRequest) {
    sessions.push(new WeakRef(this));
    this.number = sessions.length;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  constructor(private readonly session: Session) {}

  canActivate(context: ExecutionContext): boolean {
    requests.push(['injected into a guard', this.session.request]);
    return this.session.request === requestOf(context) && this.session.number === sessions.length;
  }
}

const User = createParamDecorator((fallback: string, host: ExecutionContext) => requestOf(host).user ?? fallback);

@Injectable()
class UpperCasePipe implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): string {
    return `${String(value).toUpperCase()} ${type}`;
  }
}

const input = { type: 'object', properties: { a: { type: 'string' } } } as const;

type Taken = [
  request: FrameworkRequest,
  tenant: string,
  headers: FrameworkRequest['headers'],
  ip: string,
  query: string,
  user: string,
  shouted: string,
];

function take([request, tenant, headers, ip, query, user, shouted]: Taken): string {
  requests.push(['@Req()', request]);
  taken.push({ method: request.method, tenant, all: headers['x-tenant'], ip, query, user, shouted });
  return 'taken';
}

/** Each kind with all of Nest's decorators; parameters are Nest's own, so they come one by one. */
@Injectable()
@UseGuards(BearerGuard)
class Taker {
  @Tool({ description: 'd' })
  tool(
    @Req() request: FrameworkRequest,
    @Headers('X-Tenant') tenant: string,
    @Headers() headers: FrameworkRequest['headers'],
    @Ip() ip: string,
    @Query('q') query: string,
    @User('nobody') user: string,
    @User('nobody', UpperCasePipe) shouted: string,
  ): string {
    return take([request, tenant, headers, ip, query, user, shouted]);
  }

  @Resource({ uri: 'docs://exact', description: 'd' })
  resource(
    @Req() request: FrameworkRequest,
    @Headers('X-Tenant') tenant: string,
    @Headers() headers: FrameworkRequest['headers'],
    @Ip() ip: string,
    @Query('q') query: string,
    @User('nobody') user: string,
    @User('nobody', UpperCasePipe) shouted: string,
  ): string {
    return take([request, tenant, headers, ip, query, user, shouted]);
  }

  @Resource({ uri: 'docs://{a}/template', description: 'd' })
  template(
    @Req() request: FrameworkRequest,
    @Headers('X-Tenant') tenant: string,
    @Headers() headers: FrameworkRequest['headers'],
    @Ip() ip: string,
    @Query('q') query: string,
    @User('nobody') user: string,
    @User('nobody', UpperCasePipe) shouted: string,
  ): string {
    return take([request, tenant, headers, ip, query, user, shouted]);
  }

  @Prompt({ description: 'd', input })
  prompt(
    @Req() request: FrameworkRequest,
    @Headers('X-Tenant') tenant: string,
    @Headers() headers: FrameworkRequest['headers'],
    @Ip() ip: string,
    @Query('q') query: string,
    @User('nobody') user: string,
    @User('nobody', UpperCasePipe) shouted: string,
  ): string {
    return take([request, tenant, headers, ip, query, user, shouted]);
  }

  @Completion({ prompt: 'prompt', argument: 'a' })
  completion(
    @Req() request: FrameworkRequest,
    @Headers('X-Tenant') tenant: string,
    @Headers() headers: FrameworkRequest['headers'],
    @Ip() ip: string,
    @Query('q') query: string,
    @User('nobody') user: string,
    @User('nobody', UpperCasePipe) shouted: string,
  ): string[] {
    return [take([request, tenant, headers, ip, query, user, shouted])];
  }
}

/** Each kind on a host that is made for each call. */
@Injectable()
@UseGuards(ScopedGuard)
class Scoped {
  constructor(private readonly session: Session) {}

  @Tool({ description: 'd' })
  scoped_tool(context: McpContext): string {
    return this.look(context);
  }

  @Resource({ uri: 'scoped://exact', description: 'd' })
  scopedResource(context: McpContext): string {
    return this.look(context);
  }

  @Resource({ uri: 'scoped://{a}/template', description: 'd' })
  scopedTemplate(context: McpContext): string {
    return this.look(context);
  }

  @Prompt({ description: 'd', input })
  scoped_prompt(context: McpContext): string {
    return this.look(context);
  }

  @Completion({ prompt: 'scoped_prompt', argument: 'a' })
  scopedCompletion(context: McpContext): string[] {
    return [this.look(context)];
  }

  private look({ request }: McpContext): string {
    requests.push(['injected into a host', this.session.request], ['of the context', request as FrameworkRequest]);
    return 'taken';
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'request', version: '1.0.0', http: { guards: [BearerGuard] } })],
  providers: [BearerGuard, Taker, Scoped, ScopedGuard, Session],
})
class RequestModule {}

const CALLS = (
  prefix: '' | 'scoped_',
  scheme: 'docs' | 'scoped',
): Readonly<Record<string, readonly [string, Record<string, unknown>]>> => ({
  tool: ['tools/call', { name: `${prefix}tool` }],
  resource: ['resources/read', { uri: `${scheme}://exact` }],
  template: ['resources/read', { uri: `${scheme}://1/template` }],
  prompt: ['prompts/get', { name: `${prefix}prompt` }],
  completion: [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: `${prefix}prompt` }, argument: { name: 'a', value: '' } },
  ],
});

async function asking(
  { app }: SharedApp,
  [method, params]: readonly [string, Record<string, unknown>],
  headers: Record<string, string> = {},
): Promise<string> {
  requests.length = 0;
  taken.length = 0;
  sessions.length = 0;
  const own = { authorization: 'Bearer ada', 'x-tenant': 'acme', ...headers };
  const request = mcpRequest(method, params, { headers: own });
  const response = await fetch(`${app.url}?q=7`, { method: 'POST', ...request });
  return response.text();
}

const places = (): string[] => requests.map(([place]) => place);
const different = (): number => new Set(requests.map(([, request]) => request)).size;

describe.each(ADAPTERS)('the request on $name', (adapter) => {
  const shared = shareApp(RequestModule, adapter);
  beforeAll(async () => {
    const registry = shared.app.app.get(McpRegistry, { strict: false });
    await registry.addTool({ name: 'late', description: 'd' }, [Taker, 'tool']);
    await registry.addTool({ name: 'scoped_late', description: 'd' }, [Scoped, 'scoped_tool']);
  });

  it.each(Object.entries({ ...CALLS('', 'docs'), 'tool of the run time': ['tools/call', { name: 'late' }] } as const))(
    'fills what Nest decorates, in a %s',
    async (_kind, call) => {
      expect(await asking(shared, call)).toContain('taken');
      expect(taken).toEqual([
        {
          method: 'POST',
          tenant: 'acme',
          all: 'acme',
          ip: '127.0.0.1',
          query: '7',
          user: 'ada',
          shouted: 'ADA custom',
        },
      ]);
    },
  );

  it.each(Object.entries({ ...CALLS('', 'docs'), 'tool of the run time': ['tools/call', { name: 'late' }] } as const))(
    'is one object from the guard of the endpoint to the handler, for a %s',
    async (_kind, call) => {
      await asking(shared, call);
      expect(places()).toEqual(['http guard', 'mcp guard', '@Req()']);
      expect(different()).toBe(1);
      // That of the framework, not what is below it.
      expect(requests[0]?.[1].raw !== undefined).toBe(adapter.name === 'fastify');
    },
  );

  it.each(
    Object.entries({
      ...CALLS('scoped_', 'scoped'),
      'tool of the run time': ['tools/call', { name: 'scoped_late' }],
    } as const),
  )('is injected, into one instance for a call that is let go after it: %s', async (_kind, call) => {
    expect(await asking(shared, call)).toContain('taken');
    expect(places()).toEqual(['http guard', 'injected into a guard', 'injected into a host', 'of the context']);
    expect(different()).toBe(1);
    expect(sessions).toHaveLength(1);
    requests.length = 0;
    // A connection keeps its last request, so another one has to follow.
    const [session] = sessions;
    await asking(shared, CALLS('', 'docs')['tool']);
    requests.length = 0;
    expect(session).toBeDefined();
    expect(await isCollected(session)).toBe(true);
  });

  it('contains nothing of the client: unset properties stay unset', async () => {
    const forged = { 'x-user': 'root', user: 'root' };
    expect(await asking(shared, ['tools/call', { name: 'tool', user: 'root', arguments: {} }], forged)).toContain(
      'taken',
    );
    expect(taken).toMatchObject([{ user: 'ada' }]);
  });
});

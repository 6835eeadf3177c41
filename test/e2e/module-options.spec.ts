import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  Inject,
  Injectable,
  Module,
  UnauthorizedException,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Observable } from 'rxjs';

import { Auth, McpModule, Tool, type McpModuleOptions, type McpOptionsFactory } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve, type ServedApp } from '../support/served-app.js';

const IDENTITY = { name: 'options', version: '1.0.0' };

@Injectable()
class Tools {
  @Tool({ description: 'd' })
  first(@Auth() auth: unknown): object {
    return { auth: auth ?? null };
  }

  @Tool({ description: 'd' })
  second(): void {}
}

function withModule(module: DynamicModule, ...providers: Type<unknown>[]): Type<unknown> {
  @Module({ imports: [module], providers: [Tools, ...providers] })
  class OptionsModule {}
  return OptionsModule;
}

const rooted = (options: Partial<McpModuleOptions>): Type<unknown> =>
  withModule(McpModule.forRoot({ ...IDENTITY, ...options }));

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: Record<string, string>; user?: object; mcpAuth?: object }>();
    request.user = { sub: 'user' };
    request.mcpAuth = { sub: 'mcpAuth' };
    if (request.headers['x-key'] !== 'open') throw new UnauthorizedException();
    return true;
  }
}

@Injectable()
class Marking implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getResponse<{ header(name: string, value: string): void }>().header('x-marked', 'yes');
    return next.handle();
  }
}

@Catch(UnauthorizedException)
class Explaining implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: object): void } }>()
      .status(401)
      .send({ by: 'the filter' });
  }
}

const discover = async (app: ServedApp): Promise<Record<string, unknown>> =>
  (await app.send('server/discover')).message.result;
const identity = async (app: ServedApp): Promise<unknown> =>
  ((await discover(app))['_meta'] as Record<string, unknown>)['io.modelcontextprotocol/serverInfo'];

describe.each(ADAPTERS)('module options on $name', (adapter) => {
  it('name the server', async () => {
    const full = {
      name: 'full',
      version: '2.0.0',
      title: 'Full',
      description: 'All of it',
      websiteUrl: 'https://example.com',
      icons: [{ src: 'https://example.com/a.png', mimeType: 'image/png', sizes: ['any'], theme: 'dark' as const }],
    };
    await using plain = await serve(rooted({}), adapter);
    expect(await identity(plain)).toEqual(IDENTITY);
    await using app = await serve(rooted(full), adapter);
    expect(await identity(app)).toEqual(full);
  });

  it('instruct the model', async () => {
    await using plain = await serve(rooted({}), adapter);
    expect(await discover(plain)).not.toHaveProperty('instructions');
    await using app = await serve(rooted({ instructions: 'Be kind' }), adapter);
    expect(await discover(app)).toHaveProperty('instructions', 'Be kind');
  });

  it.each(['/ai', 'ai', '/deep/er.path/mcp'])('move the endpoint to %s', async (path) => {
    await using app = await serve(rooted({ path }), adapter, { path: `/${path.replace(/^\//, '')}` });
    expect((await app.call('second')).status).toBe(200);
    expect((await fetch(`${app.origin}/mcp`, { method: 'POST' })).status).toBe(404);
  });

  it('take protocols that are spoken', async () => {
    await using app = await serve(rooted({ protocols: ['2026-07-28'] }), adapter);
    expect(await discover(app)).toHaveProperty('supportedVersions', ['2026-07-28']);
  });

  it('cut lists into pages', async () => {
    await using app = await serve(rooted({ pageSize: 1 }), adapter);
    const { message } = await app.send('tools/list');
    expect(message.result.tools).toHaveLength(1);
    expect(message.result).toHaveProperty('nextCursor');
  });

  it('take the endpoint away', async () => {
    await using app = await serve(rooted({ http: false }), adapter);
    expect((await fetch(app.url, { method: 'POST' })).status).toBe(404);
    expect(app.app.get(Tools)).toBeInstanceOf(Tools);
  });

  it('guard the endpoint and say who calls', async () => {
    const http = { guards: [KeyGuard] };
    await using app = await serve(rooted({ http }), adapter);
    expect((await fetch(app.url, { method: 'POST' })).status).toBe(401);
    const open = { headers: { 'x-key': 'open' } };
    expect((await app.call('first', {}, open)).message.result.structuredContent).toEqual({ auth: { sub: 'mcpAuth' } });
    await using users = await serve(rooted({ http, auth: { property: 'user' } }), adapter);
    expect((await users.call('first', {}, open)).message.result.structuredContent).toEqual({ auth: { sub: 'user' } });
  });

  it('bind interceptors and filters to the endpoint', async () => {
    await using app = await serve(
      rooted({ http: { interceptors: [Marking], filters: [Explaining], guards: [new KeyGuard()] } }),
      adapter,
    );
    const answer = await app.call('second', {}, { headers: { 'x-key': 'open' } });
    expect(answer.headers.get('x-marked')).toBe('yes');
    const refused = await fetch(app.url, { method: 'POST' });
    expect([refused.status, await refused.json()]).toEqual([401, { by: 'the filter' }]);
  });

  it('bound who may call, from where and with how much', async () => {
    const origin = { headers: { origin: 'https://app.example' } };
    await using plain = await serve(rooted({}), adapter);
    expect((await plain.call('second', {}, origin)).status).toBe(403);
    await using app = await serve(
      rooted({
        http: {
          allowedOrigins: ['app.example'],
          allowedHosts: ['loopback'],
          maxBodyBytes: 600,
          chunkedBodies: 'refuse',
        },
      }),
      adapter,
    );
    expect((await app.call('second', {}, origin)).status).toBe(200);
    expect((await app.call('second', { pad: 'x'.repeat(600) })).status).toBe(413);
  });
});

@Injectable()
class Config {
  readonly path = '/configured';
}

@Module({ providers: [Config], exports: [Config] })
class ConfigModule {}

@Injectable()
class OptionsFactory implements McpOptionsFactory {
  constructor(@Inject(Config) private readonly config: Config) {}

  async createMcpOptions(): Promise<McpModuleOptions> {
    await Promise.resolve();
    return { ...IDENTITY, title: 'By a class', path: this.config.path, pageSize: 1 };
  }
}

@Module({ imports: [ConfigModule], providers: [OptionsFactory], exports: [OptionsFactory] })
class FactoryModule {}

describe.each(ADAPTERS)('forRootAsync() on $name', (adapter) => {
  it.each([
    [
      'useFactory',
      McpModule.forRootAsync({
        imports: [ConfigModule],
        inject: [Config],
        useFactory: async (config: Config) => ({
          ...IDENTITY,
          title: 'By a class',
          path: await Promise.resolve(config.path),
          pageSize: 1,
        }),
      }),
    ],
    ['useClass', McpModule.forRootAsync({ imports: [ConfigModule], useClass: OptionsFactory })],
    ['useExisting', McpModule.forRootAsync({ imports: [FactoryModule], useExisting: OptionsFactory })],
  ])('takes every option from %s, its path too', async (_what, module) => {
    await using app = await serve(withModule(module), adapter, { path: '/configured' });
    expect(await identity(app)).toEqual({ ...IDENTITY, title: 'By a class' });
    expect((await app.send('tools/list')).message.result.tools).toHaveLength(1);
    expect((await fetch(`${app.origin}/mcp`, { method: 'POST' })).status).toBe(404);
  });

  it('takes the endpoint away as well', async () => {
    const module = McpModule.forRootAsync({ useFactory: () => ({ ...IDENTITY, http: false as const }) });
    await using app = await serve(withModule(module), adapter);
    expect((await fetch(app.url, { method: 'POST' })).status).toBe(404);
  });

  it('takes name and modules of the server beside the factory', async () => {
    @Injectable()
    class Admin {
      @Tool({ description: 'd', server: 'admin' })
      administer(): void {}
    }
    const module = McpModule.forRootAsync({ server: 'admin', useFactory: () => ({ ...IDENTITY, path: '/admin' }) });
    await using app = await serve(withModule(module, Admin), adapter, { path: '/admin' });
    const tools = (await app.send('tools/list')).message.result.tools as unknown as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(['administer']);
  });
});

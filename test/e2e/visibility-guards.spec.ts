import { describe, expect, it } from '@jest/globals';
import {
  Inject,
  Injectable,
  Scope,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';

import {
  CacheDecision,
  getMcpToken,
  McpExecutionContext,
  McpRegistry,
  NotForListing,
  RequireScopes,
  Tool,
} from '../../lib/index.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { referenceOf } from '../support/reference.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { as, namesOf, visibleApp, type WebRequest } from '../support/visible-app.js';

const CLERK = { scope: 'read' };

const ran: string[] = [];

@Injectable()
class KeyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const mcp = McpExecutionContext.create(context);
    ran.push(`${mcp.getComponent().name} ${JSON.stringify(mcp.getArguments())}`);
    const auth = mcp.getContext().auth as { key?: string } | undefined;
    if (auth === undefined) throw new UnauthorizedException();
    return Promise.resolve(auth.key === mcp.getComponent().name);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: WebRequest) {}

  canActivate(): boolean {
    return this.request.mcpAuth !== undefined;
  }
}

@NotForListing()
class CallGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return McpExecutionContext.create(context).getArguments()['pass'] === true;
  }
}

class BrokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { auth } = McpExecutionContext.create(context).getContext();
    if (auth === undefined) throw new Error('a detail that must stay inside');
    return true;
  }
}

function withTool(guard: Type<CanActivate> | CanActivate, scope = Scope.DEFAULT): Type<unknown> {
  @Injectable({ scope })
  class Host {
    @Tool({ description: 'd' })
    @UseGuards(guard)
    guarded(): string {
      return 'reached';
    }

    @Tool({ description: 'd' })
    free(): string {
      return 'reached';
    }
  }
  return Host;
}

describe.each(ADAPTERS)('guards on $name', (adapter) => {
  const open = (host: Type<unknown>, more: readonly Provider[] = []): Promise<ServedApp> =>
    serve(visibleApp([host, ...more]), adapter);

  it.each([
    ['that resolves later', KeyGuard, Scope.DEFAULT],
    ['of a host that each request gets anew', KeyGuard, Scope.REQUEST],
    ['that each request gets anew', ScopedGuard, Scope.DEFAULT],
    ['given as an instance', new KeyGuard(), Scope.DEFAULT],
  ] as const)('hide a component: one %s', async (_name, guard, scope) => {
    await using app = await open(withTool(guard, scope));
    expect(await namesOf(app, 'tools')).toEqual(['free']);
    expect(await namesOf(app, 'tools', { key: 'guarded' })).toEqual(['guarded', 'free']);
    expect((await app.call('guarded', {})).status).not.toBe(200);
    expect((await app.call('guarded', {}, as({ key: 'guarded' }))).text).toContain('reached');
  });

  it('see the component and no arguments, once for a list and once for a call', async () => {
    await using app = await open(withTool(KeyGuard));
    ran.length = 0;
    await namesOf(app, 'tools', { key: 'other' });
    await app.call('guarded', { a: 1 }, as({ key: 'guarded' }));
    expect(ran).toEqual(['guarded {}', 'guarded {"a":1}']);
  });

  it('that are for calls alone do not run for lists', async () => {
    await using app = await open(withTool(CallGuard));
    expect(await namesOf(app, 'tools')).toEqual(['guarded', 'free']);
    expect((await app.call('guarded', {})).status).toBe(403);
    // What follows is the argument schema, so the guard has let it in.
    expect((await app.call('guarded', { pass: true })).text).toContain('Invalid arguments');
  });

  it('of the whole app do not run for each component', async () => {
    await using app = await open(withTool(CallGuard), [
      {
        provide: APP_GUARD,
        useValue: { canActivate: (context: ExecutionContext) => context.getType<string>() !== 'mcp' },
      },
    ]);
    expect(await namesOf(app, 'tools')).toEqual(['guarded', 'free']);
    expect((await app.call('free')).status).toBe(403);
  });

  it('that fail make an error of the list, and one line in the log', async () => {
    const log = new CapturedLog();
    await using app = await serve(visibleApp([withTool(BrokenGuard)]), adapter, { configure: log.attach.bind(log) });
    const { message, text } = await app.send('tools/list');
    expect([message.error.code, text.includes('detail')]).toEqual([-32603, false]);
    const reference = referenceOf(message);
    expect(log.texts('error').filter((line) => line.includes(reference))).toHaveLength(1);
    expect(await namesOf(app, 'tools', {})).toEqual(['guarded', 'free']);
  });

  it('decide once for a whole list where they say so, and once for each caller', async () => {
    const decided: unknown[] = [];
    @CacheDecision()
    class OnceGuard implements CanActivate {
      async canActivate(context: ExecutionContext): Promise<boolean> {
        const { auth } = McpExecutionContext.create(context).getContext();
        decided.push(auth);
        return Promise.resolve((auth as { ok: boolean }).ok);
      }
    }
    @Injectable()
    @UseGuards(OnceGuard)
    class Many {
      @Tool({ description: 'd' })
      a(): void {}

      @Tool({ description: 'd' })
      b(): void {}
    }
    await using app = await open(Many);
    const [yes, no] = await Promise.all([namesOf(app, 'tools', { ok: true }), namesOf(app, 'tools', { ok: false })]);
    expect([yes, no]).toEqual([['a', 'b'], []]);
    expect(decided).toHaveLength(2);
  });

  it('of a registration hide a component of the run time; disabled and removed ones are not checked', async () => {
    await using app = await open(withTool(CallGuard));
    const registry = app.app.get<McpRegistry>(getMcpToken(McpRegistry), { strict: false });
    const handle = await registry.addTool({ name: 'late', description: 'd' }, () => 'reached', { guards: [KeyGuard] });
    expect(await namesOf(app, 'tools', { key: 'x' })).toEqual(['guarded', 'free']);
    expect(await namesOf(app, 'tools', { key: 'late' })).toEqual(['guarded', 'free', 'late']);
    ran.length = 0;
    handle.disable();
    expect(await namesOf(app, 'tools', { key: 'late' })).toEqual(['guarded', 'free']);
    handle.remove();
    expect(await namesOf(app, 'tools', { key: 'late' })).toEqual(['guarded', 'free']);
    expect(ran).toEqual([]);
  });

  it('of a function may ask for scopes too', async () => {
    await using app = await open(withTool(CallGuard));
    const registry = app.app.get<McpRegistry>(getMcpToken(McpRegistry), { strict: false });
    const handler = (): string => 'reached';
    RequireScopes('late')(handler);
    await registry.addTool({ name: 'late', description: 'd' }, handler);
    expect(await namesOf(app, 'tools', CLERK)).toEqual(['guarded', 'free']);
    expect((await app.call('late', {}, as(CLERK))).status).toBe(403);
    expect(await namesOf(app, 'tools', { scope: 'late' })).toEqual(['guarded', 'free', 'late']);
  });
});

describe.each(ADAPTERS)('an unguarded list on $name', (adapter: AdapterCase) => {
  it('is public where the options say so', async () => {
    await using app = await serve(
      visibleApp([withTool(CallGuard)], { cache: { tools: { scope: 'public' } } }),
      adapter,
    );
    expect((await app.send('tools/list')).message.result.cacheScope).toBe('public');
  });
});

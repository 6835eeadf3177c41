import { describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
} from '@nestjs/common';

import { McpModule, McpNotifier, Prompt, RequireRoles, Resource, Tool, type McpAuthOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve } from '../support/served-app.js';
import { SseStream } from '../support/sse-stream.js';

interface WebRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  mcpAuth?: { readonly roles: readonly string[] };
}

@Injectable()
class Door implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<WebRequest>();
    request.mcpAuth = { roles: [request.headers['x-role'] ?? 'guest'] };
    return true;
  }
}

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<WebRequest>().mcpAuth?.roles.includes('admin') === true;
  }
}

@Injectable()
class Vault {
  @Tool({ description: 'For admins' })
  @UseGuards(AdminGuard)
  unlock(): string {
    return 'open';
  }

  @Prompt({ description: 'For admins' })
  @UseGuards(AdminGuard)
  plan(): string {
    return 'plan';
  }

  @Resource({ uri: 'vault://gold', description: 'For admins, by a guard' })
  @UseGuards(AdminGuard)
  gold(): string {
    return 'gold';
  }

  @Resource({ uri: 'vault://rooms/{room}', description: 'For admins, by a role' })
  @RequireRoles('admin')
  room({ room }: { room: string }): string {
    return room;
  }

  @Resource({ uri: 'vault://door', description: 'For all' })
  door(): string {
    return 'door';
  }
}

function vaultApp(auth: McpAuthOptions = {}): DynamicModule {
  @Module({})
  class VaultApp {}
  return {
    module: VaultApp,
    imports: [McpModule.forRoot({ name: 'vault', version: '1.0.0', auth, http: { guards: [Door] } })],
    providers: [Vault],
  };
}

const WATCHED = ['vault://gold', 'vault://rooms/7', 'vault://door', 'vault://nothing'];

describe.each(ADAPTERS)('what a caller may not see on $name', (adapter) => {
  it.each([
    ['guest', ['vault://door', 'vault://nothing']],
    ['admin', WATCHED],
  ])('cannot be watched either: %s', async (role, honoured) => {
    await using served = await serve(vaultApp(), adapter);
    const notifications = { resourceSubscriptions: WATCHED };
    const posted = mcpRequest('subscriptions/listen', { notifications }, { headers: { 'x-role': role } });
    using stream = await SseStream.open(served.origin, posted, { method: 'subscriptions/listen' });
    await stream.until(({ messages }) => messages.length > 0);
    expect(stream.messages[0]?.params?.['notifications']).toEqual({ resourceSubscriptions: honoured });
    const notifier = served.app.get(McpNotifier, { strict: false });
    for (const uri of WATCHED) await notifier.resourceUpdated(uri);
    await stream.until(({ messages }) => messages.length > honoured.length);
    expect(stream.messages.slice(1).map(({ params }) => params?.['uri'])).toEqual(honoured);
  });

  it.each([
    ['tools/call', { name: 'unlock' }, { name: 'unlocks' }],
    ['prompts/get', { name: 'plan' }, { name: 'plans' }],
    ['resources/read', { uri: 'vault://gold' }, { uri: 'vault://golds' }],
  ] as const)(
    'is answered to %s like what does not exist, where that was asked for',
    async (method, known, unknown) => {
      await using served = await serve(vaultApp({ refusals: 'conceal' }), adapter);
      const [refused, missing] = [await served.send(method, known), await served.send(method, unknown)];
      expect([refused.status, missing.status]).toEqual([200, 200]);
      expect(refused.text).toBe(missing.text.replaceAll(/(unlock|plan|gold)s/g, '$1'));
      const admin = await served.send(method, known, { headers: { 'x-role': 'admin' } });
      expect(admin.message.result['resultType']).toBe('complete');
    },
  );

  it('is refused with its status otherwise', async () => {
    await using served = await serve(vaultApp(), adapter);
    expect((await served.call('unlock')).status).toBe(403);
    expect((await served.send('resources/read', { uri: 'vault://rooms/7' })).status).toBe(403);
  });
});

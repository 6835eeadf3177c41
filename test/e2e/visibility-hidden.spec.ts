import { describe, expect, it } from '@jest/globals';
import { Injectable, UseGuards, type CanActivate, type DynamicModule, type ExecutionContext } from '@nestjs/common';

import { McpNotifier, Prompt, RequireRoles, Resource, Tool, type McpAuthOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { mcpRequest } from '../support/mcp-request.js';
import { serve } from '../support/served-app.js';
import { SseStream } from '../support/sse-stream.js';
import { as, visibleApp, type WebRequest } from '../support/visible-app.js';

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { mcpAuth } = context.switchToHttp().getRequest<WebRequest>();
    return (mcpAuth as { readonly roles: readonly string[] }).roles.includes('admin');
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

const vaultApp = (auth: McpAuthOptions = {}): DynamicModule => visibleApp([Vault], { auth });

const ADMIN = as({ roles: ['admin'] });
const GUEST = as({ roles: ['guest'] });

const WATCHED = ['vault://gold', 'vault://rooms/7', 'vault://door', 'vault://nothing'];

describe.each(ADAPTERS)('what a caller may not see on $name', (adapter) => {
  it.each([
    ['guest', GUEST, ['vault://door', 'vault://nothing']],
    ['admin', ADMIN, WATCHED],
  ])('cannot be watched either: %s', async (_role, caller, honoured) => {
    await using served = await serve(vaultApp(), adapter);
    const notifications = { resourceSubscriptions: WATCHED };
    const posted = mcpRequest('subscriptions/listen', { notifications }, caller);
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
      const [refused, missing] = [await served.send(method, known, GUEST), await served.send(method, unknown, GUEST)];
      expect([refused.status, missing.status]).toEqual([200, 200]);
      expect(refused.text).toBe(missing.text.replaceAll(/(unlock|plan|gold)s/g, '$1'));
      const admin = await served.send(method, known, ADMIN);
      expect(admin.message.result['resultType']).toBe('complete');
    },
  );

  it('is refused with its status otherwise', async () => {
    await using served = await serve(vaultApp(), adapter);
    expect((await served.call('unlock', {}, GUEST)).status).toBe(403);
    expect((await served.send('resources/read', { uri: 'vault://rooms/7' }, GUEST)).status).toBe(403);
  });
});

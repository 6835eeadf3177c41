import { describe, expect, it } from '@jest/globals';
import {
  ForbiddenException,
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';

import { McpContext, McpModule, RequireRoles, Tool } from '../../lib/index.js';
import { McpTestClient } from '../../lib/testing/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { askingApp } from '../support/asking-desk.module.js';
import '../support/mcp-matchers.js';

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(): never {
    throw new ForbiddenException('Closed on Mondays');
  }
}

@Injectable()
class Shop implements OnApplicationShutdown {
  closed = 0;

  @Tool({ description: 'Open to all' })
  enter({ auth }: McpContext): string {
    return `Welcome, ${(auth as { name?: string } | undefined)?.name ?? 'stranger'}`;
  }

  @Tool({ description: 'Guarded' })
  @UseGuards(ClosedGuard)
  buy(): string {
    return 'Sold';
  }

  @Tool({ description: 'For the owner' })
  @RequireRoles('owner')
  count(): number {
    return 3;
  }

  onApplicationShutdown(): void {
    this.closed += 1;
  }
}

@Injectable()
class Office {
  @Tool({ description: 'In the back', server: 'office' })
  file(): string {
    return 'filed';
  }
}

@Module({
  imports: [
    McpModule.forRoot({ name: 'shop', version: '1.0.0' }),
    McpModule.forRoot({ name: 'office', version: '1.0.0', server: 'office', path: '/office' }),
  ],
  providers: [Shop, Office],
})
class ShopModule {}

const compile = (): Promise<TestingModule> => Test.createTestingModule({ imports: [ShopModule] }).compile();

const owner = { name: 'Ada', roles: ['owner'] };

describe('a test client', () => {
  it('starts a testing module, calls it as a given caller, and closes it', async () => {
    const moduleRef = await compile();
    const shop = moduleRef.get(Shop);
    {
      await using client = await McpTestClient.create(moduleRef, { as: owner });
      await expect(client.callTool('enter')).toBeToolText('Welcome, Ada');
      await expect(client.callTool('count')).toBeToolJson(3);
      await expect(client.listTools()).toList('enter', 'count');
      expect(shop.closed).toBe(0);
    }
    expect(shop.closed).toBe(1);
  });

  it('can call as another caller', async () => {
    await using client = await McpTestClient.create(await compile());
    await expect(client.callTool('enter')).toBeToolText('Welcome, stranger');
    await expect(client.callTool('count')).toBeRefused(401);
    await expect(client.as({ name: 'Bob', roles: [] }).callTool('count')).toBeRefused(403);
    await expect(client.as(owner).callTool('count')).toBeToolJson(3);
    await expect(client.listTools()).not.toList('count');
  });

  it('sees overridden guards', async () => {
    await using closed = await McpTestClient.create(await compile());
    await expect(closed.callTool('buy')).toBeRefused({ code: 403, message: 'Closed on Mondays' });
    const moduleRef = await Test.createTestingModule({ imports: [ShopModule] })
      .overrideGuard(ClosedGuard)
      .useValue({ canActivate: () => true })
      .compile();
    await using open = await McpTestClient.create(moduleRef);
    await expect(open.callTool('buy')).toBeToolText('Sold');
    await expect(open.listTools()).toList('buy');
  });

  it('reaches the server that it names', async () => {
    await using client = await McpTestClient.create(await compile(), { server: 'office' });
    await expect(client.callTool('file')).toBeToolText('filed');
    await expect(client.callTool('enter')).toBeRefused(-32602);
    const moduleRef = await compile();
    await expect(McpTestClient.create(moduleRef, { server: 'cellar' })).rejects.toThrow(/no MCP server.*"cellar"/);
    await expect(McpTestClient.create(moduleRef, { user: 'x' } as object)).rejects.toThrow(/connect\.user/);
    await moduleRef.close();
    const empty = await Test.createTestingModule({}).compile();
    await expect(McpTestClient.create(empty)).rejects.toThrow(/no MCP server.*"default".*McpModule\.forRoot/);
    await empty.close();
  });

  it.each(ADAPTERS)('does not close an app on $name that it did not start', async (adapter) => {
    const app = (await compile()).createNestApplication(adapter.create() as never, { logger: false });
    await app.init();
    const client = await McpTestClient.create(app, { as: owner });
    await expect(client.callTool('count')).toBeToolJson(3);
    await client.close();
    expect(app.get(Shop).closed).toBe(0);
    await expect(client.callTool('count')).rejects.toMatchObject({ code: 'MCP_CLIENT_CLOSED' });
    await app.close();
    expect(app.get(Shop).closed).toBe(1);
  });
});

describe('answers of a test', () => {
  const asking = (): Promise<TestingModule> => Test.createTestingModule({ imports: [askingApp()] }).compile();
  const consent = { action: 'accept', content: { name: 'Ada' } };

  it('are given by the keys of questions', async () => {
    await using client = await McpTestClient.create(await asking(), { answers: { consent } });
    await expect(client.callTool('transfer', { amount: 2 })).toBeToolText('code-2 by Ada');
    await expect(client.callTool('interview')).rejects.toThrow(/asked "name" \("Name\?"\).*Known keys: consent/);
  });

  it('can be left to the test, round by round', async () => {
    await using client = await McpTestClient.create(await asking(), { capabilities: { elicitation: {} } });
    const call = { name: 'transfer', arguments: { amount: 2 } };
    const asked = await client.request('tools/call', call);
    expect(asked).toAsk('consent');
    expect(asked).not.toAsk('name');
    const { requestState } = asked;
    const done = client.request('tools/call', { ...call, requestState, inputResponses: { consent } });
    await expect(done).toBeToolText('code-2 by Ada');
    await expect(client.callTool('interview')).toBeRefused(-32021);
  });
});

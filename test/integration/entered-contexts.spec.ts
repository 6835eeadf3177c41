import { AsyncLocalStorage } from 'node:async_hooks';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplicationContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { McpModule, McpServer, Tool } from '../../lib/index.js';
import { LinePipe } from '../support/line-pipe.js';
import { mcpRequest } from '../support/mcp-request.js';

/** Who calls, as the guard says it. */
const store = new AsyncLocalStorage<string>();

@Injectable()
class EnteringGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { who } = context.getArgByIndex<{ arguments: { who?: string } }>(2).arguments;
    if (who !== undefined) store.enterWith(who);
    return true;
  }
}

@Injectable()
class Entrance {
  @Tool({ description: 'Tells who it is', input: { type: 'object', properties: { who: { type: 'string' } } } })
  @UseGuards(EnteringGuard)
  whoami(): string {
    return String(store.getStore());
  }
}

describe('a guard that enters a context', () => {
  let app: INestApplicationContext;

  beforeAll(async () => {
    @Module({
      imports: [McpModule.forRoot({ name: 'entrance', version: '1.0.0', http: false })],
      providers: [Entrance],
    })
    class EntranceModule {}
    app = await NestFactory.createApplicationContext(EntranceModule, { logger: false, abortOnError: false });
  });
  afterAll(() => app.close());

  it('does so for its own line alone', async () => {
    await using pipe = await LinePipe.open(app.get(McpServer, { strict: false }));
    const line = (args: object): string => mcpRequest('tools/call', { name: 'whoami', arguments: args }).body;
    expect(await pipe.send(line({ who: 'ada' }), true)).toContain('ada');
    expect(await pipe.send(line({}), true)).toContain('undefined');
  });

  it('does so for its own message alone in the same process', async () => {
    const client = app.get(McpServer, { strict: false }).connect();
    const first = client.callTool('whoami', { who: 'ada' });
    expect(store.getStore()).toBeUndefined();
    expect(await first).toMatchObject({ content: [{ text: 'ada' }] });
    expect(await client.callTool('whoami', {})).toMatchObject({ content: [{ text: 'undefined' }] });
  });
});

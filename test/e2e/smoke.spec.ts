import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ExpressAdapter } from '@nestjs/platform-express';
import { IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';

import { Describe, McpModule, Prompt, Resource, Tool } from '../../lib/index.js';

class GreetArgs {
  @Describe('Who') @IsString() @MinLength(1) name!: string;
  @IsOptional() @IsInt() @Min(1) @Max(10) times?: number = 1;
}
class IntroduceArgs {
  @Describe('Whom') @IsString() name!: string;
}

@Injectable()
class Greeter {
  @Tool({ description: 'greet' })
  greet(args: GreetArgs) {
    return `Hello, ${args.name}!`.repeat(args.times ?? 1);
  }
  @Resource({ uri: 'people://{name}/profile', description: 'A person', mimeType: 'application/json' })
  profile({ name }: { name: string }) {
    return { name };
  }
  @Prompt({ description: 'Introduce' })
  introduce(args: IntroduceArgs) {
    return `Introduce ${args.name}`;
  }
}
@Module({ imports: [McpModule.forRoot({ name: 'greeter', version: '0.1.0' })], providers: [Greeter] })
class AppModule {}

describe.each([
  ['express', () => new ExpressAdapter()],
  ['fastify', () => new FastifyAdapter()],
])('%s', (_n, adapter) => {
  it('works', async () => {
    const app = await NestFactory.create(AppModule, adapter() as never, { logger: ['error', 'warn', 'log'] });
    await app.listen(0, '127.0.0.1');
    const url = `${await app.getUrl()}/mcp`;
    const send = async (method: string, params: object, name?: string) => {
      const res = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(name ? { 'mcp-name': name } : {}),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method,
          params: {
            ...params,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      return { status: res.status, body: await res.text() };
    };
    console.log(await send('server/discover', {}));
    console.log(await send('tools/list', {}));
    console.log(await send('tools/call', { name: 'greet', arguments: { name: 'Ada' } }, 'greet'));
    console.log(await send('tools/call', { name: 'greet', arguments: { name: 5 } }, 'greet'));
    console.log(await send('resources/read', { uri: 'people://ada/profile' }, 'people://ada/profile'));
    console.log(await send('prompts/get', { name: 'introduce', arguments: { name: 'x' } }, 'introduce'));
    console.log(await fetch(url).then(async (r) => [r.status, await r.text()]));
    await app.close();
    expect(1).toBe(1);
  });
});

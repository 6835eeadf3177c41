import type { AddressInfo } from 'node:net';
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IsString, MinLength } from 'class-validator';
import { McpModule, Tool } from 'nestjs-mcp';
import { ask } from './ask';

class GreetArgs {
  @IsString()
  @MinLength(1)
  name!: string;
}

@Injectable()
class Greeter {
  @Tool({ description: 'Create a greeting' })
  greet(args: GreetArgs) {
    return `Hello, ${args.name}!`;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'consumer', version: '1.0.0' })], providers: [Greeter] })
class AppModule {}

describe('an application with its own Jest', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication();
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    url = `http://127.0.0.1:${port}/mcp`;
  });

  afterAll(() => app.close());

  it('is discovered', async () => {
    const { status, body } = await ask(url, 'server/discover', {});
    expect(status).toBe(200);
    expect(body.result?.supportedVersions).toContain('2026-07-28');
  });

  it('calls its tool', async () => {
    const { body } = await ask(url, 'tools/call', { name: 'greet', arguments: { name: 'Ada' } });
    expect(body.result?.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
  });

  it('refuses arguments outside the schema', async () => {
    const { body } = await ask(url, 'tools/call', { name: 'greet', arguments: { name: '' } });
    expect(body.result?.isError).toBe(true);
  });
});

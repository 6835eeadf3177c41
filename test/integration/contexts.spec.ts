import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';

import { McpModule, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { CapturedLog } from '../support/captured-log.js';
import { ServedApp } from '../support/served-app.js';

@Injectable()
class Phrases {
  hello(): string {
    return 'Hello';
  }
}

@Injectable()
class Greeter {
  constructor(private readonly phrases: Phrases) {}

  @Tool({ description: 'Greets' })
  greet(): string {
    return this.phrases.hello();
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'greeter', version: '1.0.0' })], providers: [Greeter, Phrases] })
class GreeterModule {}

describe('createApplicationContext()', () => {
  it.each([false, undefined] as const)('starts with http: %p', async (http) => {
    @Module({
      imports: [McpModule.forRoot({ name: 'context', version: '1.0.0', ...(http === undefined ? {} : { http }) })],
      providers: [Greeter, Phrases],
    })
    class ContextModule {}
    const log = new CapturedLog();
    const app = await NestFactory.createApplicationContext(ContextModule, { logger: log, abortOnError: false });
    expect(app.get(Greeter).greet()).toBe('Hello');
    expect(log.texts('log').filter((line) => line.startsWith('context speaks'))).toHaveLength(1);
    expect(log.texts('error')).toEqual([]);
    await app.close();
  });
});

class LoudGreeter extends Greeter {
  override greet(): string {
    return 'HELLO';
  }
}

describe.each(ADAPTERS)('a testing module on $name', (adapter) => {
  const served = async (
    override: (builder: ReturnType<typeof Test.createTestingModule>) => typeof builder,
  ): Promise<ServedApp> => {
    const compiled = await override(Test.createTestingModule({ imports: [GreeterModule] })).compile();
    const app = compiled.createNestApplication(adapter.create() as never, { logger: false });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    return new ServedApp(app, `http://127.0.0.1:${port}`, '/mcp');
  };

  it('serves', async () => {
    await using app = await served((builder) => builder);
    expect((await app.call('greet')).message.result.content).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('serves with an overridden dependency', async () => {
    await using app = await served((builder) => builder.overrideProvider(Phrases).useValue({ hello: () => 'Hi' }));
    expect((await app.call('greet')).message.result.content).toEqual([{ type: 'text', text: 'Hi' }]);
  });

  it('serves the components of an overridden host', async () => {
    class OtherGreeter {
      @Tool({ description: 'Greets otherwise' })
      salute(): string {
        return 'Salute';
      }
    }
    await using app = await served((builder) => builder.overrideProvider(Greeter).useClass(OtherGreeter));
    expect((await app.call('salute')).message.result.content).toEqual([{ type: 'text', text: 'Salute' }]);
    expect((await app.call('greet')).message.error.code).toBe(-32602);
  });

  it('does not offer what an override took away', async () => {
    await using app = await served((builder) => builder.overrideProvider(Greeter).useValue({ greet: () => 'mock' }));
    expect((await app.send('tools/list')).message.error.code).toBe(-32601);
    await using loud = await served((builder) => builder.overrideProvider(Greeter).useClass(LoudGreeter));
    expect((await loud.send('tools/list')).message.error.code).toBe(-32601);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Controller, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';

import { Completion, McpModule, Prompt, Resource, Tool, type McpModuleExtras } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { serve, ServedApp } from '../support/served-app.js';

const server = (name: string, extras: Partial<McpModuleExtras> = {}): DynamicModule =>
  McpModule.forRoot({ name, version: '1.0.0', path: `/${name}/mcp`, server: name, ...extras });

/** The same app, asked at another server's path. */
const at = ({ app, origin }: ServedApp, name: string): ServedApp => new ServedApp(app, origin, `/${name}/mcp`);

async function namesAt(app: ServedApp, name: string, method = 'tools/list', member = 'tools'): Promise<string[]> {
  const { message } = await at(app, name).send(method);
  if (message.error !== undefined) return [];
  return (message.result[member] as unknown as { name: string }[]).map((item) => item.name);
}

const texts = { type: 'object', properties: { a: { type: 'string' } } } as const;

@Injectable()
class OfA {
  @Tool({ description: 'd', server: 'a' })
  a1(): string {
    return 'a1';
  }

  @Tool({ description: 'd', name: 'same', server: 'a' })
  same(): string {
    return 'of a';
  }

  @Prompt({ description: 'd', name: 'ask', input: texts, server: 'a' })
  ask(): string {
    return 'of a';
  }

  @Completion({ prompt: 'ask', argument: 'a', server: 'a' })
  complete(): string[] {
    return ['of a'];
  }

  @Resource({ uri: 'docs://readme', description: 'd', server: 'a' })
  readme(): string {
    return 'of a';
  }
}

@Injectable()
class OfB {
  @Tool({ description: 'd', server: 'b' })
  b1(): string {
    return 'b1';
  }

  @Tool({ description: 'd', name: 'same', server: 'b' })
  same(): string {
    return 'of b';
  }

  @Prompt({ description: 'd', name: 'ask', input: texts, server: 'b' })
  ask(): string {
    return 'of b';
  }

  @Resource({ uri: 'docs://{name}', description: 'd', server: 'b' })
  any(): string {
    return 'of b';
  }

  @Tool({ description: 'd', server: ['a', 'b'] })
  both(): string {
    return 'both';
  }
}

@Module({ imports: [server('a'), server('b')], providers: [OfA, OfB] })
class TwoServersModule {}

describe.each(ADAPTERS)('two servers of one app on $name', (adapter) => {
  it('list their own components', async () => {
    await using app = await serve(TwoServersModule, adapter);
    expect(await namesAt(app, 'a')).toEqual(['a1', 'same', 'both']);
    expect(await namesAt(app, 'b')).toEqual(['b1', 'same', 'both']);
    expect(await namesAt(app, 'a', 'resources/list', 'resources')).toEqual(['readme']);
    expect(await namesAt(app, 'b', 'resources/list', 'resources')).toEqual([]);
    expect(await namesAt(app, 'b', 'resources/templates/list', 'resourceTemplates')).toEqual(['any']);
  });

  it('run their own components, and no others', async () => {
    await using app = await serve(TwoServersModule, adapter);
    expect((await at(app, 'a').call('same')).message.result.content).toMatchObject([{ text: 'of a' }]);
    expect((await at(app, 'b').call('same')).message.result.content).toMatchObject([{ text: 'of b' }]);
    expect((await at(app, 'a').call('b1')).message.error).toMatchObject({ code: -32602, message: 'Unknown tool: b1' });
    expect((await at(app, 'b').call('a1')).message.error.code).toBe(-32602);
    const read = async (name: string, uri: string): Promise<unknown> =>
      (await at(app, name).send('resources/read', { uri })).message;
    expect(await read('a', 'docs://readme')).toMatchObject({ result: { contents: [{ text: 'of a' }] } });
    expect(await read('b', 'docs://readme')).toMatchObject({ result: { contents: [{ text: 'of b' }] } });
    expect(await read('a', 'docs://other')).toMatchObject({ error: { code: -32602 } });
  });

  it('declare their own capabilities and names', async () => {
    await using app = await serve(TwoServersModule, adapter);
    const [a, b] = [await at(app, 'a').send('server/discover'), await at(app, 'b').send('server/discover')];
    expect(a.message.result.capabilities).toHaveProperty('completions');
    expect(b.message.result.capabilities).not.toHaveProperty('completions');
    expect(a.message.result['_meta']).toHaveProperty(['io.modelcontextprotocol/serverInfo', 'name'], 'a');
    expect(b.message.result['_meta']).toHaveProperty(['io.modelcontextprotocol/serverInfo', 'name'], 'b');
  });
});

@Injectable()
class Plain {
  @Tool({ description: 'd' })
  plain(): void {}
}

@Injectable()
class Elsewhere {
  @Tool({ description: 'd' })
  elsewhere(): void {}

  @Tool({ description: 'd', server: 'default' })
  declared(): void {}
}

@Controller()
class Controlled {
  @Tool({ description: 'd' })
  controlled(): void {}
}

@Module({ providers: [Elsewhere], controllers: [Controlled] })
class ElsewhereModule {}

function appOf(imports: DynamicModule['imports'], ...providers: Type<unknown>[]): Type<unknown> {
  @Module({ imports: imports ?? [], providers })
  class AppModule {}
  return AppModule;
}

const base = (): DynamicModule => server('default');

describe.each(ADAPTERS)('the server of a component on $name', (adapter) => {
  it('is the default one, wherever the component is declared', async () => {
    await using app = await serve(appOf([base(), server('admin'), ElsewhereModule], Plain), adapter);
    expect((await namesAt(app, 'default')).toSorted()).toEqual(['controlled', 'declared', 'elsewhere', 'plain']);
    expect(await namesAt(app, 'admin')).toEqual([]);
  });

  it('is the one that includes its module, unless it says otherwise', async () => {
    const admin = server('admin', { include: [ElsewhereModule] });
    await using app = await serve(appOf([base(), admin, ElsewhereModule], Plain), adapter);
    expect((await namesAt(app, 'admin')).toSorted()).toEqual(['controlled', 'elsewhere']);
    expect((await namesAt(app, 'default')).toSorted()).toEqual(['declared', 'plain']);
  });

  it('are all that include its module', async () => {
    const include = [ElsewhereModule];
    await using app = await serve(
      appOf([base(), server('one', { include }), server('two', { include }), ElsewhereModule]),
      adapter,
    );
    expect(await namesAt(app, 'one')).toEqual(await namesAt(app, 'two'));
    expect(await namesAt(app, 'one')).toContain('elsewhere');
    expect(await namesAt(app, 'default')).toEqual(['declared']);
  });

  it('is the one of its feature', async () => {
    const features = [
      McpModule.forFeature({ server: 'admin', providers: [Plain] }),
      McpModule.forFeature({ providers: [Elsewhere] }),
    ];
    await using app = await serve(appOf([base(), server('admin'), ...features]), adapter);
    expect(await namesAt(app, 'admin')).toEqual(['plain']);
    expect((await namesAt(app, 'default')).toSorted()).toEqual(['declared', 'elsewhere']);
  });

  it('exports the providers of a feature to modules that import it', async () => {
    @Injectable()
    class Store {
      readonly word = 'kept';
    }
    @Injectable()
    class Reader {
      constructor(private readonly store: Store) {}

      @Tool({ description: 'd' })
      read(): string {
        return this.store.word;
      }
    }
    @Module({ providers: [Store], exports: [Store] })
    class StoreModule {}
    @Injectable()
    class User {
      constructor(readonly reader: Reader) {}
    }
    const feature = McpModule.forFeature({ imports: [StoreModule], providers: [Reader] });
    await using app = await serve(appOf([base(), feature], User), adapter);
    expect((await at(app, 'default').call('read')).message.result.content).toMatchObject([{ text: 'kept' }]);
    expect(app.app.get(User).reader).toBe(app.app.get(Reader, { strict: false }));
  });
});

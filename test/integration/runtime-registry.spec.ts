import { describe, expect, it } from '@jest/globals';
import {
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  type CanActivate,
  type INestApplicationContext,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ModuleRef, REQUEST } from '@nestjs/core';
import { z } from 'zod';

import {
  Completion,
  DuplicateComponentError,
  InvalidComponentError,
  McpModule,
  McpRegistry,
  Prompt,
  Resource,
  Tool,
  getMcpToken,
  type ComponentEnhancers,
  type ToolOptions,
} from '../../lib/index.js';
import { ComponentRegistry } from '../../lib/registry/component.registry.js';
import { CapturedLog } from '../support/captured-log.js';
import { moduleOf, refusal, start } from '../support/started.js';

const description = 'd';
const TEXTS = { type: 'object', properties: { a: { type: 'string' } } } as const;

@Injectable()
class Declared {
  @Tool({ description, name: 'tool' })
  tool(): string {
    return '';
  }

  @Prompt({ description, name: 'prompt', input: TEXTS })
  prompt(): string {
    return '';
  }

  @Completion({ prompt: 'prompt', argument: 'a' })
  complete(): string[] {
    return [];
  }

  @Resource({ description, uri: 'docs://exact' })
  exact(): string {
    return '';
  }

  @Resource({ description, uri: 'docs://café' })
  cafe(): string {
    return '';
  }

  @Resource({ description, uri: 'files://{name}' })
  template(): string {
    return '';
  }

  plain(_args: object): string {
    return '';
  }
}

@Injectable()
class DeniesAll implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class NeedsMore implements CanActivate {
  constructor(readonly missing: DeniesAll) {}

  canActivate(): boolean {
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class LoneScoped extends DeniesAll {}

@Injectable({ scope: Scope.REQUEST })
class LoneOfRequest implements CanActivate {
  constructor(@Inject(REQUEST) readonly request: unknown) {}

  canActivate(): boolean {
    return true;
  }
}

class GuardedValue {
  @UseGuards(DeniesAll)
  run(): string {
    return '';
  }
}

const decorated = (): string => '';
UseGuards(DeniesAll)(decorated);

@Module({ providers: [GuardedValue] })
class FirstModule {}
@Module({ providers: [GuardedValue] })
class SecondModule {}

const around = {
  imports: [FirstModule, SecondModule],
  providers: [
    Declared,
    { provide: 'VALUE', useValue: new GuardedValue() },
    { provide: 'BARE', useValue: { run: () => '' } },
    { provide: 'ALIAS', useExisting: Declared },
  ],
};

async function withRegistry(
  use: (registry: McpRegistry, components: ComponentRegistry, app: INestApplicationContext) => Promise<void>,
): Promise<void> {
  const app = await start(moduleOf(around));
  try {
    await use(app.get(McpRegistry, { strict: false }), app.get(ComponentRegistry, { strict: false }), app);
  } finally {
    await app.close();
  }
}

const add =
  (options: unknown, handler: unknown = () => '', enhancers?: unknown) =>
  (registry: McpRegistry): Promise<unknown> =>
    registry.addTool(
      options as ToolOptions & { name: string },
      handler as () => string,
      enhancers as ComponentEnhancers,
    );

const resource =
  (uri: string) =>
  (registry: McpRegistry): Promise<unknown> =>
    registry.addResource({ name: 'new', uri, description }, () => '');

const guarded = (guard: unknown): ((registry: McpRegistry) => Promise<unknown>) =>
  add({ name: 'new', description }, () => '', { guards: [guard] });

type Attempt = (registry: McpRegistry) => Promise<unknown>;

const INVALID: Readonly<Record<string, readonly [Attempt, RegExp]>> = {
  'no options': [add(undefined), /^registry\.addTool\(null\): its options must be an object/],
  'a function without a name': [add({ description }), /^registry\.addTool\(null\): the option "name" is missing/],
  'a bad name': [add({ name: 'two words' }), /^registry\.addTool\("two words"\): the name "two words" is not allowed/],
  'an unknown option': [add({ name: 'new', descripton: 'd' }), /unknown option "descripton"/],
  'another server': [add({ name: 'new', server: 'admin' }), /registry belongs to the server "default"/],
  'a schema that cannot be shown': [
    add({ name: 'new', input: z.object({ at: z.date() }) }),
    /^registry\.addTool\("new"\): its input schema cannot be used/,
  ],
  'a bad header mark': [
    add({
      name: 'new',
      input: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'two words' } } },
    }),
    /x-mcp-header/,
  ],
  'an icon of plain HTTP': [
    add({ name: 'new', icons: [{ src: 'http://a/b.png' }] }),
    /^registry\.addTool\("new"\): the option "icons\[0\]\.src": it must be an https: or data: URL/,
  ],
  'an unknown annotation': [
    add({ name: 'new', annotations: { readonlyHint: true } }),
    /^registry\.addTool\("new"\): the option "annotations\.readonlyHint": this option does not exist/,
  ],
  'meta with a key of the protocol': [
    (registry) =>
      registry.addPrompt({ name: 'new', description, meta: { 'io.modelcontextprotocol/a': 1 } }, () => 'new'),
    /^registry\.addPrompt\("new"\): .*its prefix belongs to the protocol/,
  ],
  'an unknown audience': [
    (registry) =>
      registry.addResource({ name: 'new', uri: 'a://b', annotations: { audience: ['all' as never] } }, () => 'new'),
    /^registry\.addResource\("new"\): the option "annotations\.audience"/,
  ],
  'a method whose arguments cannot be seen': [
    add({}, [Declared, 'plain']),
    /^Declared\.plain: .*is unknown at run time/,
  ],
  'no handler': [add({ name: 'new' }, null), /its handler must be a function/],
  'an object as handler': [add({ name: 'new' }, {}), /its handler must be a function, or \[Provider, "method"\]/],
  'half a handler': [add({ name: 'new' }, [Declared]), /its handler must be a function/],
  'too much of a handler': [add({ name: 'new' }, [Declared, 'tool', 'x']), /its handler must be a function/],
  'an unknown provider': [add({ name: 'new' }, [DeniesAll, 'canActivate']), /no module of this app provides DeniesAll/],
  'an unknown method': [add({ name: 'new' }, [Declared, 'other']), /the class of Declared has no method "other"/],
  'a method of a bare object': [add({ name: 'new' }, ['BARE', 'run']), /no method "run"\. Pass a function/],
  'a provider of two modules': [
    add({ name: 'new' }, [GuardedValue, 'run']),
    /more than one module provides GuardedValue/,
  ],
  'a guarded method of a value': [
    add({ name: 'new' }, ['VALUE', 'run']),
    /^GuardedValue\.run: Nest makes no DeniesAll/,
  ],
  'a decorated function': [add({ name: 'new' }, decorated), /^registry\.addTool\("new"\): Nest makes no DeniesAll/],
  'a URI that a template matches': [
    resource('files://x'),
    /^Declared\.template: .*matches URIs of the resource "files:\/\/x" of registry\.addResource\("new"\)/,
  ],
  'a template that matches a URI': [
    resource('docs://{a}'),
    /^registry\.addResource\("new"\): .*matches URIs of the resource "docs:\/\/exact" of Declared\.exact/,
  ],
  'a template that matches another': [resource('files://{other}'), /matches URIs of the template "files:\/\/\{name\}"/],
  'a completion for nobody': [
    (registry) => registry.addCompletion({ prompt: 'nobody', argument: 'a' }, () => []),
    /^registry\.addCompletion\("a"\): it completes the prompt "nobody", which this server does not have/,
  ],
  'a completion for no argument': [
    (registry) => registry.addCompletion({ resource: 'files://{name}', argument: 'b' }, () => []),
    /completes "b", which is not an argument of the template .* It has name/,
  ],
  'enhancers that are a list': [add({ name: 'new' }, () => '', [DeniesAll]), /unknown kind of enhancers "0"/],
  'enhancers that are nothing': [add({ name: 'new' }, () => '', null), /its enhancers must be an object of guards/],
  'enhancers of no kind': [add({ name: 'new' }, () => '', { guard: [] }), /unknown kind of enhancers "guard"/],
  'guards that are no list': [add({ name: 'new' }, () => '', { guards: DeniesAll }), /its guards must be a list/],
  'a guard that is not there': [guarded(undefined), /its guards hold undefined.*circular imports/],
  'a guard without its method': [guarded({ canActivat: () => true }), /one of its guards has no method "canActivate"/],
  'a class without its method': [guarded(class Empty {}), /one of its guards has no method "canActivate"/],
  'a guard that needs what is missing': [guarded(NeedsMore), /NeedsMore cannot be made: [^]* Provide it in a module/],
  'a request-scoped guard of no module': [guarded(LoneScoped), /LoneScoped is not a singleton, and no module provides/],
  'a guard of the request of no module': [guarded(LoneOfRequest), /LoneOfRequest cannot be made/],
};

/** What clients see, and what nobody else can have. */
const stateOf = (components: ComponentRegistry): unknown => [
  components.all(),
  (['tool', 'prompt', 'resource', 'template'] as const).map((kind) => components.page(kind, undefined)),
];

describe('a registration is refused, and changes nothing, with', () => {
  it.each(Object.entries(INVALID))('%s', async (_what, [attempt, message]) => {
    await withRegistry(async (registry, components) => {
      const before = stateOf(components);
      const error = await attempt(registry).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidComponentError);
      expect((error as Error).message).toMatch(message);
      expect(stateOf(components)).toEqual(before);
    });
  });

  it.each([
    ['a tool', add({ name: 'tool', description }), /^Both Declared\.tool and registry\.addTool\("tool"\) declare/],
    ['a prompt', (registry) => registry.addPrompt({ name: 'prompt', description }, () => ''), /the prompt "prompt"/],
    ['a resource', resource('docs://exact'), /the resource "docs:\/\/exact"/],
    ['a resource spelled otherwise', resource('docs://caf%c3%a9'), /Declared\.cafe and registry\.addResource/],
    ['a template', resource('files://{name}'), /the template "files:\/\/\{name\}"/],
    [
      'a completion',
      (registry) => registry.addCompletion({ prompt: 'prompt', argument: 'a' }, () => []),
      /^Both Declared\.complete and registry\.addCompletion\("a"\)/,
    ],
  ] as readonly (readonly [string, Attempt, RegExp])[])('the name of %s', async (_what, attempt, message) => {
    await withRegistry(async (registry, components) => {
      const before = stateOf(components);
      const error = await attempt(registry).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DuplicateComponentError);
      expect((error as Error).message).toMatch(message);
      expect(stateOf(components)).toEqual(before);
    });
  });

  it('the name of an earlier function, even a disabled one', async () => {
    await withRegistry(async (registry) => {
      const first = await registry.addTool({ name: 'new', description }, () => '');
      first.disable();
      await expect(registry.addTool({ name: 'new', description }, () => '')).rejects.toThrow(
        'Both an earlier registry.addTool("new") and registry.addTool("new") declare the tool "new". Rename one',
      );
      first.remove();
      const second = await registry.addTool({ name: 'new', description }, () => '');
      expect([first.enabled, second.enabled]).toEqual([false, true]);
    });
  });
});

describe('a registration', () => {
  it('gives a method of the app another name, and follows aliases', async () => {
    await withRegistry(async (registry) => {
      const handle = await registry.addTool({ description }, [Declared, 'exact']);
      const other = await registry.addTool({ name: 'other', description }, ['ALIAS', 'exact']);
      expect([handle.name, other.name]).toEqual(['exact', 'other']);
    });
  });

  it('warns of what has no description, and not twice for the same', async () => {
    const app = await start(moduleOf(around));
    const log = new CapturedLog();
    app.useLogger(log);
    const handle = await app.get(McpRegistry, { strict: false }).addTool({ name: 'new' }, () => '');
    expect(log.texts('warn')).toEqual([
      'registry.addTool("new"): the tool "new" has no description, so models have to guess what it is for. Add one to its options.',
    ]);
    await handle.update({ description });
    expect(log.texts('warn')).toHaveLength(1);
    await app.close();
  });

  it('frees everything when it is removed', async () => {
    await withRegistry(async (registry, components) => {
      const before = stateOf(components);
      for (let index = 0; index < 5_000; index += 1) {
        const handle = await registry.addTool({ name: `tool_${index}`, description }, () => '', {
          guards: [DeniesAll],
        });
        if (index % 2 === 0) handle.disable();
        handle.remove();
      }
      expect(stateOf(components)).toEqual(before);
    });
  });
});

describe('an update', () => {
  it.each([
    ['a name that is taken', { name: 'tool' }, DuplicateComponentError],
    ['a bad name', { name: 'two words' }, InvalidComponentError],
    ['no name', { name: undefined }, InvalidComponentError],
    ['an unknown option', { uri: 'docs://x' }, InvalidComponentError],
    ['a schema that cannot be shown', { input: z.object({ at: z.date() }) }, InvalidComponentError],
  ])('to %s is refused, and changes nothing', async (_what, changes, type) => {
    await withRegistry(async (registry, components) => {
      const handle = await registry.addTool({ name: 'new', description }, () => '');
      const before = stateOf(components);
      await expect(handle.update(changes as ToolOptions)).rejects.toBeInstanceOf(type);
      expect(stateOf(components)).toEqual(before);
      expect([handle.name, handle.enabled]).toEqual(['new', true]);
      await handle.update({ name: 'newer' });
      expect(handle.name).toBe('newer');
    });
  });

  it('may not take the argument of a completion away', async () => {
    await withRegistry(async (registry, components) => {
      const before = stateOf(components);
      const handle = registry.find('prompt', 'prompt');
      await expect(handle?.update({ input: { type: 'object', properties: {} } })).rejects.toThrow(
        'Declared.complete: it completes "a", which is not an argument of the prompt "prompt". It has none.',
      );
      await expect(handle?.update({ name: 'renamed' })).rejects.toThrow('which this server does not have');
      expect(stateOf(components)).toEqual(before);
    });
  });

  it('may not run into another URI', async () => {
    await withRegistry(async (registry) => {
      const handle = registry.find('resource', 'docs://exact');
      await expect(handle?.update({ uri: 'files://x' })).rejects.toThrow('matches URIs of');
      await handle?.update({ uri: 'other://{any}' });
      expect([handle?.kind, handle?.name]).toEqual(['template', 'other://{any}']);
      await handle?.update({ uri: 'other://{one}/{two}' });
      expect(registry.find('template', 'other://{one}/{two}')).toBe(handle);
      expect(registry.find('template', 'other://{any}')).toBeUndefined();
    });
  });

  it('builds on the one before, and takes options back', async () => {
    await withRegistry(async (registry, components) => {
      const handle = await registry.addTool({ name: 'new', description, title: 'New' }, () => '');
      await Promise.all([handle.update({ title: undefined }), handle.update({ description: 'changed' })]);
      expect(components.findTool('new')?.definition).toMatchObject({ name: 'new', description: 'changed' });
      expect(components.findTool('new')?.definition).not.toHaveProperty('title');
    });
  });

  it('names the function anew in messages', async () => {
    await withRegistry(async (registry, components) => {
      const handle = await registry.addTool({ name: 'new', description }, () => '');
      await handle.update({ name: 'newer' });
      expect(components.findTool('newer')?.host.owner).toBe('registry.addTool("newer")');
    });
  });

  it('has no effect after its component was removed', async () => {
    await withRegistry(async (registry, components) => {
      const before = stateOf(components);
      const handle = await registry.addTool({ name: 'new', description }, () => '');
      const running = handle.update({ name: 'newer' });
      handle.remove();
      await expect(running).rejects.toThrow('it was removed. Add it again');
      await expect(handle.update({ name: 'newest' })).rejects.toThrow('it was removed');
      handle.enable();
      handle.remove();
      expect(handle.enabled).toBe(false);
      expect(stateOf(components)).toEqual(before);
    });
  });
});

describe('a handle', () => {
  it('returns the same registration to every caller', async () => {
    await withRegistry(async (registry) => {
      const handle = await registry.addTool({ name: 'new', description }, () => '');
      expect(registry.find('tool', 'new')).toBe(handle);
      expect(registry.find('tool', 'tool')).toBe(registry.find('tool', 'tool'));
      expect(registry.find('tool', 'tool')).not.toBe(handle);
      handle.disable();
      expect(registry.find('tool', 'new')).toBe(handle);
      expect(registry.find('prompt', 'new')).toBeUndefined();
      expect(registry.find('resource', 'docs://caf%c3%a9')?.name).toBe('docs://café');
    });
  });

  it('takes completions away with their prompt', async () => {
    await withRegistry(async (registry, components) => {
      registry.find('prompt', 'prompt')?.remove();
      expect(components.held('completion')).toEqual([]);
      await registry.addPrompt({ name: 'prompt', description, input: TEXTS }, () => '');
      expect(components.findCompletion({ kind: 'prompt', name: 'prompt' }, 'a')).toBeUndefined();
    });
  });
});

/** A provider that registers something before or after the decorated components were found. */
function registering(register: Attempt): Type<OnModuleInit> {
  @Injectable()
  class Registering implements OnModuleInit {
    constructor(private readonly moduleRef: ModuleRef) {}

    async onModuleInit(): Promise<void> {
      await register(this.moduleRef.get(getMcpToken(McpRegistry), { strict: false }));
    }
  }
  return Registering;
}

describe('a registration while the app starts', () => {
  const places = (register: Attempt): readonly Type<unknown>[] => {
    const Registering = registering(register);
    const server = McpModule.forRoot({ name: 'started', version: '1.0.0', http: false });
    @Module({ imports: [server], providers: [Declared, Registering] })
    class Later {}
    // Hooks run from the deepest module up.
    @Module({ providers: [Registering] })
    class Deepest {}
    @Module({ imports: [Deepest] })
    class Middle {}
    @Module({ imports: [Middle] })
    class Upper {}
    @Module({ imports: [server, Upper], providers: [Declared] })
    class Earlier {}
    return [Later, Earlier];
  };

  it('may complete a component that is registered later', async () => {
    for (const module of places((registry) =>
      registry.addCompletion({ resource: 'files://{name}', argument: 'name' }, () => []),
    )) {
      const app = await start(module);
      expect(app.get(ComponentRegistry, { strict: false }).held('completion')).toHaveLength(2);
      await app.close();
    }
  });

  it.each([
    ['the name of a declared one', add({ name: 'tool', description }), /the tool "tool"/],
    ['a template that matches a declared URI', resource('docs://{a}'), /matches URIs of/],
  ] as readonly (readonly [string, Attempt, RegExp])[])('stops the start with %s', async (_what, register, message) => {
    for (const module of places(register)) expect((await refusal(module)).message).toMatch(message);
  });

  it('stops the start for a completion without a component', async () => {
    // The refusal comes from the registration or from the start, whichever comes last.
    for (const module of places((registry) => registry.addCompletion({ prompt: 'nobody', argument: 'a' }, () => []))) {
      expect((await refusal(module)).message).toContain('completes the prompt "nobody"');
    }
  });
});

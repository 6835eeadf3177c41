import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';

import { Completion, McpModule, Prompt, Resource, Tool } from '../../lib/index.js';
import { ADAPTERS, type AdapterCase } from '../support/adapters.js';
import { serve, type ServedApp } from '../support/served-app.js';

/** Denies handlers, and lets the route of the endpoint pass. */
const denies = (context: ExecutionContext): boolean => context.getType<string>() !== 'mcp';

@Injectable()
class Rules {
  allow(context: ExecutionContext): boolean {
    return denies(context) && typeof context.getHandler() === 'function';
  }
}

@Injectable()
class DenyingGuard implements CanActivate {
  constructor(private readonly rules: Rules) {}

  canActivate(context: ExecutionContext): boolean {
    return this.rules.allow(context);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedDenyingGuard implements CanActivate {
  constructor(
    @Inject(REQUEST) private readonly request: { headers?: object },
    private readonly rules: Rules,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    // Without the real request this throws, which would deny too, but not with a 403.
    return Object.keys(this.request.headers as object).length > 0 && this.rules.allow(context);
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientDenyingGuard implements CanActivate {
  constructor(private readonly rules: Rules) {}

  canActivate(context: ExecutionContext): boolean {
    return this.rules.allow(context);
  }
}

const instance: CanActivate = { canActivate: denies };

type Guard = Type<CanActivate> | CanActivate;

interface Reached {
  readonly reached: string[];
}

/** A class with every kind of component, guarded as a test wants it. */
function hostClass(
  scope: Scope,
  onClass: readonly Guard[],
  onMethods: readonly Guard[],
  reached: string[],
): Type<unknown> {
  class Host implements Reached {
    readonly reached = reached;

    @Tool({ description: 'd' })
    @UseGuards(...onMethods)
    tool(): string {
      this.reached.push('tool');
      return 'reached';
    }

    @Resource({ uri: 'docs://a', description: 'd' })
    @UseGuards(...onMethods)
    resource(): string {
      this.reached.push('resource');
      return 'reached';
    }

    @Resource({ uri: 'docs://{a}/b', description: 'd' })
    @UseGuards(...onMethods)
    template(): string {
      this.reached.push('template');
      return 'reached';
    }

    @Prompt({ description: 'd', input: { type: 'object', properties: { a: { type: 'string' } } } })
    @UseGuards(...onMethods)
    prompt(): string {
      this.reached.push('prompt');
      return 'reached';
    }

    @Completion({ prompt: 'prompt', argument: 'a' })
    @UseGuards(...onMethods)
    completion(): string[] {
      this.reached.push('completion');
      return ['reached'];
    }
  }
  UseGuards(...onClass)(Host);
  Injectable({ scope })(Host);
  return Host;
}

const TOKEN = Symbol('host');

/** Where Nest may hold the instance. */
const HOSTS: Readonly<Record<string, { scope?: Scope; place: (host: Type<unknown>) => ModuleMetadata }>> = {
  provider: { place: (host) => ({ providers: [host] }) },
  controller: {
    place: (host) => {
      Controller()(host);
      return { controllers: [host] };
    },
  },
  'class under a token': { place: (host) => ({ providers: [{ provide: TOKEN, useClass: host }] }) },
  'subclass of a guarded class': {
    place: (host) => {
      @Injectable()
      class Child extends (host as Type<object>) {}
      return { providers: [Child] };
    },
  },
  'provider in a feature': { place: (host) => ({ imports: [McpModule.forFeature({ providers: [host, Rules] })] }) },
  transient: { scope: Scope.TRANSIENT, place: (host) => ({ providers: [host] }) },
  'request-scoped provider': { scope: Scope.REQUEST, place: (host) => ({ providers: [host] }) },
  'request-scoped controller': {
    scope: Scope.REQUEST,
    place: (host) => {
      Controller({ scope: Scope.REQUEST })(host);
      return { controllers: [host] };
    },
  },
  'request-scoped class under a token': {
    scope: Scope.REQUEST,
    place: (host) => ({ providers: [{ provide: TOKEN, useClass: host }] }),
  },
  value: { place: (host) => ({ providers: [{ provide: TOKEN, useValue: new host() }] }) },
  factory: { place: (host) => ({ providers: [{ provide: TOKEN, useFactory: () => new host() }] }) },
};

interface Level {
  readonly onClass?: readonly Guard[];
  readonly onMethods?: readonly Guard[];
  readonly global?: Type<CanActivate>;
  readonly installed?: CanActivate;
}

const LEVELS: Readonly<Record<string, Level>> = {
  'a class on the class': { onClass: [DenyingGuard] },
  'a class on the method': { onMethods: [DenyingGuard] },
  'an instance on the class': { onClass: [instance] },
  'an instance on the method': { onMethods: [instance] },
  'a request-scoped class on the class': { onClass: [ScopedDenyingGuard] },
  'a request-scoped class on the method': { onMethods: [ScopedDenyingGuard] },
  'a transient class on the class': { onClass: [TransientDenyingGuard] },
  'a transient class on the method': { onMethods: [TransientDenyingGuard] },
  APP_GUARD: { global: DenyingGuard },
  'a transient APP_GUARD': { global: TransientDenyingGuard },
  'a request-scoped APP_GUARD': { global: ScopedDenyingGuard },
  useGlobalGuards: { installed: instance },
};

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/call', { name: 'tool' }],
  ['resources/read', { uri: 'docs://a' }],
  ['resources/read', { uri: 'docs://a/b' }],
  ['prompts/get', { name: 'prompt' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'a', value: '' } }],
];

async function open(hostKind: string, level: Level, adapter: AdapterCase, reached: string[]): Promise<ServedApp> {
  const { scope = Scope.DEFAULT, place } = HOSTS[hostKind] ?? { place: () => ({}) };
  const {
    providers = [],
    controllers = [],
    imports = [],
  } = place(hostClass(scope, level.onClass ?? [], level.onMethods ?? [], reached));
  const global = level.global === undefined ? [] : [{ provide: APP_GUARD, useClass: level.global }];
  @Module({
    imports: [McpModule.forRoot({ name: 'guarded', version: '1.0.0' }), ...imports],
    controllers,
    providers: [...providers, Rules, ...global],
  })
  class GuardedModule {}
  return serve(GuardedModule, adapter, {
    configure: (nest) => {
      if (level.installed !== undefined) nest.useGlobalGuards(level.installed);
    },
  });
}

/** Hosts for which Nest makes no enhancers; what it would skip has to stop the start. */
const BARE = new Set(['value', 'factory']);

const classesOf = ({ onClass = [], onMethods = [] }: Level): Guard[] =>
  [...onClass, ...onMethods].filter((guard) => typeof guard === 'function');

async function refusesToStart(host: string, level: Level, adapter: AdapterCase): Promise<void> {
  const [guard] = classesOf(level) as [Type<CanActivate>];
  await expect(open(host, level, adapter, [])).rejects.toThrow(
    new RegExp(`^Host\\.tool: Nest makes no ${guard.name} .*Provide the class itself, or .*new ${guard.name}`),
  );
}

describe.each(ADAPTERS)('a denying guard on $name', (adapter) => {
  const hosts = Object.keys(HOSTS);

  describe.each(hosts)('around a %s', (host) => {
    it('is missed where there is none', async () => {
      const reached: string[] = [];
      await using app = await open(host, {}, adapter, reached);
      for (const [method, params] of CALLS) expect((await app.send(method, params)).text).toContain('reached');
      expect(reached).toEqual(['tool', 'resource', 'template', 'prompt', 'completion']);
    });

    it.each(Object.entries(LEVELS))('denies as %s', async (_level, level) => {
      if (BARE.has(host) && classesOf(level).length > 0) return refusesToStart(host, level, adapter);
      const reached: string[] = [];
      await using app = await open(host, level, adapter, reached);
      for (const [method, params] of CALLS) {
        const { status, message } = await app.send(method, params);
        expect([method, status, message.error]).toEqual([method, 403, { code: 403, message: 'Forbidden resource' }]);
      }
      expect(reached).toEqual([]);
    });
  });
});

describe.each(ADAPTERS)('a guard that another host of the module brings along on $name', (adapter) => {
  const sharing = (guard: Type<CanActivate>, reached: string[]): Promise<ServedApp> => {
    @Injectable()
    @UseGuards(guard)
    class Sibling {
      @Tool({ description: 'd' })
      sibling(): void {}
    }
    const value = new (hostClass(Scope.DEFAULT, [guard], [], reached))();
    @Module({
      imports: [McpModule.forRoot({ name: 'siblings', version: '1.0.0' })],
      providers: [Rules, Sibling, { provide: TOKEN, useValue: value }],
    })
    class SiblingsModule {}
    return serve(SiblingsModule, adapter);
  };

  it('is shared with a value', async () => {
    const reached: string[] = [];
    await using app = await sharing(DenyingGuard, reached);
    expect((await app.call('tool')).message.error).toEqual({ code: 403, message: 'Forbidden resource' });
    expect(reached).toEqual([]);
  });

  it.each([ScopedDenyingGuard, TransientDenyingGuard])('is not made anew for a value: %p', async (guard) => {
    await expect(sharing(guard, [])).rejects.toThrow(`Host.tool: Nest makes no ${guard.name}`);
  });
});

const calls: unknown[] = [];

@Injectable()
class Recording implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    calls.push([context.getClass().name, context.getHandler().name]);
    return true;
  }
}

@UseGuards(Recording)
class Base {
  @Tool({ description: 'd' })
  inherited(): string {
    return this.constructor.name;
  }

  @Tool({ description: 'd' })
  replaced(): string {
    return 'by the base';
  }
}

@Injectable()
class Child extends Base {
  override replaced(): string {
    return 'not a component';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'inherited', version: '1.0.0' })], providers: [Child] })
class InheritedModule {}

describe.each(ADAPTERS)('inherited components on $name', (adapter) => {
  it('belong to the subclass, with the guards of the base; what is overridden without a decorator does not', async () => {
    await using app = await serve(InheritedModule, adapter);
    calls.length = 0;
    expect((await app.call('inherited')).message.result.content).toMatchObject([{ text: 'Child' }]);
    expect(calls).toEqual([['Child', 'inherited']]);
    expect((await app.call('replaced')).message.error.code).toBe(-32602);
  });
});

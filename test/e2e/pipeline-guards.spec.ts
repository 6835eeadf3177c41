import { describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

import { McpModule, Tool } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import {
  BARE_HOSTS,
  callsOf,
  denyingGuards,
  HOSTS,
  KINDS,
  moduleFor,
  reached,
  Rules,
  type Binding,
  type Guard,
  type HostPlan,
} from '../support/guarded-hosts.js';
import { serve, type Answer, type ServedApp } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

const { DenyingGuard, ScopedDenyingGuard, TransientDenyingGuard, instance } = denyingGuards('mcp');

/** What stands on the hosts themselves. */
const BINDINGS: Readonly<Record<string, Binding>> = {
  'a class on the class': { onClass: [DenyingGuard] },
  'a class on the method': { onMethods: [DenyingGuard] },
  'an instance on the class': { onClass: [instance] },
  'an instance on the method': { onMethods: [instance] },
  'a request-scoped class on the class': { onClass: [ScopedDenyingGuard] },
  'a request-scoped class on the method': { onMethods: [ScopedDenyingGuard] },
  'a transient class on the class': { onClass: [TransientDenyingGuard] },
  'a transient class on the method': { onMethods: [TransientDenyingGuard] },
};

/** What stands around all hosts of an app. */
const GLOBALS: Readonly<Record<string, { readonly guard?: Type<CanActivate>; readonly installed?: CanActivate }>> = {
  APP_GUARD: { guard: DenyingGuard },
  'a transient APP_GUARD': { guard: TransientDenyingGuard },
  'a request-scoped APP_GUARD': { guard: ScopedDenyingGuard },
  useGlobalGuards: { installed: instance },
};

interface Cell {
  readonly host: string;
  readonly level: string;
  readonly plan: HostPlan;
}

/** Durable hosts need a strategy for contexts, which would reach the specs that share this module registry. */
const { 'durable provider': _durable, ...PLACES } = { ...HOSTS, ...BARE_HOSTS };

const classesOf = ({ onClass = [], onMethods = [] }: Binding): Guard[] =>
  [...onClass, ...onMethods].filter((guard) => typeof guard === 'function');

const cellsOf = (bindings: Readonly<Record<string, Binding>>): Cell[] =>
  Object.keys(PLACES).flatMap((host, row) =>
    Object.entries(bindings).map(([level, binding], column) => ({
      host,
      level,
      plan: { id: `h${row}-${column}`, ...binding },
    })),
  );

const UNGUARDED = cellsOf({ none: {} });
/** Nest makes no enhancers for these hosts; what it would skip has to stop the start. */
const isRefused = ({ host, plan }: Cell): boolean => host in BARE_HOSTS && classesOf(plan).length > 0;
const GUARDED = cellsOf(BINDINGS);

/** All these hosts in one app. */
function appOf(cells: readonly Cell[], global?: Type<CanActivate>): DynamicModule {
  @Module({})
  class GuardedModule {}
  return {
    module: GuardedModule,
    imports: [
      McpModule.forRoot({ name: 'guarded', version: '1.0.0' }),
      ...cells.map(({ host, plan }) => moduleFor(PLACES[host]?.(plan) ?? {})),
    ],
    providers: [Rules, ...(global === undefined ? [] : [{ provide: APP_GUARD, useClass: global }])],
  };
}

/** The answer for a component of each kind. */
async function answersOf(app: ServedApp, { plan }: Cell): Promise<(readonly [string, Answer])[]> {
  reached.length = 0;
  const answers: (readonly [string, Answer])[] = [];
  for (const [method, params] of callsOf(plan.id)) answers.push([method, await app.send(method, params)]);
  return answers;
}

const errorsOf = (answers: readonly (readonly [string, Answer])[]): unknown[] =>
  answers.map(([method, { status, message }]) => [method, status, message.error]);

/** What every call of a host is answered where a guard denies it. */
const DENIALS = callsOf('').map(([method]) => [method, 403, { code: 403, message: 'Forbidden resource' }]);

describe.each(ADAPTERS)('a denying guard on $name', (adapter) => {
  describe('of a host', () => {
    const shared = shareApp(appOf(GUARDED.filter((cell) => !isRefused(cell))), adapter);

    it.each(GUARDED.filter((cell) => !isRefused(cell)))('denies around a $host as $level', async (cell) => {
      expect(errorsOf(await answersOf(shared.app, cell))).toEqual(DENIALS);
      expect(reached).toEqual([]);
    });

    it.each(GUARDED.filter(isRefused))('stops the start around a $host as $level', async (cell) => {
      const [guard] = classesOf(cell.plan) as [Type<CanActivate>];
      await expect(serve(appOf([cell]), adapter)).rejects.toThrow(
        new RegExp(`^Host\\.tool: Nest makes no ${guard.name} .*Provide the class itself, or .*new ${guard.name}`),
      );
    });
  });

  describe('is refused if it is missing', () => {
    const shared = shareApp(appOf(UNGUARDED), adapter);

    it.each(UNGUARDED)('around a $host', async (cell) => {
      for (const [, { text }] of await answersOf(shared.app, cell)) expect(text).toContain('reached');
      expect(reached).toEqual(KINDS.map((kind) => `${cell.plan.id} ${kind}`));
    });
  });

  describe.each(Object.entries(GLOBALS))('around all hosts as %s', (_level, { guard, installed }) => {
    const configure = (app: INestApplication): void => {
      if (installed !== undefined) app.useGlobalGuards(installed);
    };
    const shared = shareApp(appOf(UNGUARDED, guard), adapter, { configure });

    it.each(UNGUARDED)('denies around a $host', async (cell) => {
      expect(errorsOf(await answersOf(shared.app, cell))).toEqual(DENIALS);
      expect(reached).toEqual([]);
    });
  });
});

describe.each(ADAPTERS)('a guard that another host of the module brings along on $name', (adapter) => {
  const sharing = (guard: Type<CanActivate>): Promise<ServedApp> => {
    @Injectable()
    @UseGuards(guard)
    class Sibling {
      @Tool({ description: 'd' })
      sibling(): void {}
    }
    const shared = BARE_HOSTS['value']?.({ id: 'shared', onClass: [guard] }) ?? {};
    @Module({
      imports: [McpModule.forRoot({ name: 'siblings', version: '1.0.0' })],
      providers: [Rules, Sibling, ...(shared.providers ?? [])],
    })
    class SiblingsModule {}
    return serve(SiblingsModule, adapter);
  };

  it('is shared with a value', async () => {
    reached.length = 0;
    await using app = await sharing(DenyingGuard);
    expect((await app.call('shared_tool')).message.error).toEqual({ code: 403, message: 'Forbidden resource' });
    expect(reached).toEqual([]);
  });

  it.each([ScopedDenyingGuard, TransientDenyingGuard])('is not made anew for a value: %p', async (guard) => {
    await expect(sharing(guard)).rejects.toThrow(`Host.tool: Nest makes no ${guard.name}`);
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
  it('belong to the subclass, with the guards of the base class; an overriding method without a decorator is not served', async () => {
    await using app = await serve(InheritedModule, adapter);
    calls.length = 0;
    expect((await app.call('inherited')).message.result.content).toMatchObject([{ text: 'Child' }]);
    expect(calls).toEqual([['Child', 'inherited']]);
    expect((await app.call('replaced')).message.error.code).toBe(-32602);
  });
});

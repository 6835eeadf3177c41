import { beforeAll, describe, expect, it } from '@jest/globals';
import { Module, UseGuards, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { APP_GUARD, ContextIdFactory } from '@nestjs/core';

import { McpModule, McpRegistry, type McpHttpOptions } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import {
  asked,
  askEach,
  BARE_HOSTS,
  ByTenant,
  denyingGuards,
  HOSTS,
  KINDS,
  moduleFor,
  reached,
  register,
  Rules,
  RUNTIME_HOSTS,
  type Binding,
  type Guard,
  type HostPlan,
} from '../support/guarded-hosts.js';
import { serve, type ServedApp } from '../support/served-app.js';
import { shareApp } from '../support/shared-app.js';

/** Applies to what this file imports alone. */
ContextIdFactory.apply(new ByTenant());

const { DenyingGuard, ScopedDenyingGuard, TransientDenyingGuard, instance } = denyingGuards('mcp');

const GUARDS: Readonly<Record<string, Guard>> = {
  class: DenyingGuard,
  'request-scoped class': ScopedDenyingGuard,
  'transient class': TransientDenyingGuard,
  instance,
};

/** Bindings of every guard at one level. */
const each = (level: string, bind: (guard: Guard) => Binding): readonly (readonly [string, Binding])[] =>
  Object.entries(GUARDS).map(([name, guard]) => [`${name} ${level}`, bind(guard)]);

const DECLARED_LEVELS = [
  ...each('on the class', (guard) => ({ onClass: [guard] })),
  ...each('on the methods', (guard) => ({ onMethods: [guard] })),
];
const REGISTERED_LEVELS = each('of the registration', (guard) => ({ registered: { guards: [guard] } }));
const NONE: readonly [string, Binding] = ['no guard', {}];

interface Cell {
  readonly host: string;
  readonly level: string;
  readonly plan: HostPlan;
}

const cellsOf = (hosts: readonly string[], levels: readonly (readonly [string, Binding])[], prefix: string): Cell[] =>
  hosts.flatMap((host, row) =>
    levels.map(([level, binding], column) => ({ host, level, plan: { id: `${prefix}${row}-${column}`, ...binding } })),
  );

const isClass = (guard: Guard): boolean => typeof guard === 'function';
const isBareLevel = ([, { onClass = [], onMethods = [] }]: readonly [string, Binding]): boolean =>
  ![...onClass, ...onMethods].some(isClass);

const PLACES = { ...HOSTS, ...BARE_HOSTS };
const METHODS = Object.keys(RUNTIME_HOSTS).filter((host) => host.startsWith('method'));

const DECLARED = [
  ...cellsOf(Object.keys(HOSTS), [NONE, ...DECLARED_LEVELS], 'h'),
  ...cellsOf(Object.keys(BARE_HOSTS), [NONE, ...DECLARED_LEVELS.filter(isBareLevel)], 'b'),
];
const REGISTERED = [
  ...cellsOf(METHODS, [NONE, ...DECLARED_LEVELS, ...REGISTERED_LEVELS], 'm'),
  ...cellsOf(['function, registered at run time'], [NONE, ...REGISTERED_LEVELS], 'f'),
];

interface Surroundings {
  readonly http?: McpHttpOptions;
  readonly imports?: readonly Type<unknown>[];
  readonly providers?: readonly Provider[];
}

/** All cells of a table in one app. */
function appOf(
  { declared, registered }: { declared: readonly Cell[]; registered: readonly Cell[] },
  { http, ...around }: Surroundings = {},
): DynamicModule {
  @Module({})
  class MatrixModule {}
  return {
    module: MatrixModule,
    imports: [
      McpModule.forRoot({ name: 'matrix', version: '1.0.0', ...(http === undefined ? {} : { http }) }),
      ...declared.map(({ host, plan }) => moduleFor(PLACES[host]?.(plan) ?? {})),
      ...registered.map(({ host, plan }) => moduleFor(RUNTIME_HOSTS[host]?.place(plan) ?? {})),
      ...(around.imports ?? []),
    ],
    providers: [Rules, ...(around.providers ?? [])],
  };
}

async function registerAll(app: ServedApp, cells: readonly Cell[]): Promise<void> {
  for (const { host, plan } of cells) {
    const runtime = RUNTIME_HOSTS[host];
    if (runtime !== undefined) await register(app, runtime, plan);
  }
}

interface Verdict {
  readonly answers: readonly string[];
  readonly reached: readonly string[];
  readonly asked: readonly string[];
}

async function verdictOf(app: ServedApp, { plan }: Cell): Promise<Verdict> {
  const answers = await askEach(app, plan.id);
  return { answers: answers.map(({ status, text }) => wordOf(status, text)), reached: [...reached], asked: [...asked] };
}

function wordOf(status: number, text: string): string {
  const [ran, denied] = [text.includes('reached'), text.includes('Forbidden resource')];
  if (ran && !denied && status === 200) return 'served';
  return denied && !ran ? 'denied' : `${status} ${text}`;
}

/** The guard itself denies, once for each call, and the handler never runs. */
const denied = (guard: string): Verdict => ({
  answers: KINDS.map(() => 'denied'),
  reached: [],
  asked: KINDS.map(() => guard),
});

const served = ({ plan }: Cell): Verdict => ({
  answers: KINDS.map(() => 'served'),
  reached: KINDS.map((kind) => `${plan.id} ${kind}`),
  asked: [],
});

const guardOf = (level: string): string => Object.keys(GUARDS).find((name) => level.startsWith(`${name} `)) ?? '';

describe.each(ADAPTERS)('a denying guard of a host on $name', (adapter) => {
  const shared = shareApp(appOf({ declared: DECLARED, registered: REGISTERED }), adapter);
  beforeAll(() => registerAll(shared.app, REGISTERED));

  it.each([...DECLARED, ...REGISTERED])('decides around a $host: $level', async (cell) => {
    const expected = cell.level === 'no guard' ? served(cell) : denied(guardOf(cell.level));
    expect(await verdictOf(shared.app, cell)).toEqual(expected);
  });

  it.each(
    cellsOf(
      Object.keys(BARE_HOSTS),
      DECLARED_LEVELS.filter((level) => !isBareLevel(level)),
      'r',
    ),
  )('stops the start where Nest would skip it, around a $host: $level', async (cell) => {
    const { onClass = [], onMethods = [] } = cell.plan;
    const [guard] = [...onClass, ...onMethods] as { name: string }[];
    await expect(serve(appOf({ declared: [cell], registered: [] }), adapter)).rejects.toThrow(
      new RegExp(`^Host\\.tool: Nest makes no ${guard?.name} .*Provide the class itself, or .*new ${guard?.name}`),
    );
  });

  it('is refused by name where it stands on a function, which Nest makes no class for', async () => {
    const guarded = (): string => 'reached';
    UseGuards(DenyingGuard)(guarded);
    const registry = shared.app.app.get(McpRegistry, { strict: false });
    await expect(registry.addTool({ name: 'guarded', description: 'd' }, guarded)).rejects.toThrow(
      'Nest makes no DenyingGuard for a function',
    );
    expect((await shared.app.call('guarded')).message.error.code).toBe(-32602);
  });

  it('decides as an instance on a function', async () => {
    const guarded = (): string => 'reached';
    UseGuards(instance)(guarded);
    const registry = shared.app.app.get(McpRegistry, { strict: false });
    const handle = await registry.addTool({ name: 'guarded', description: 'd' }, guarded);
    const { text } = await shared.app.call('guarded');
    handle.remove();
    expect(text).toContain('Forbidden resource');
    expect(text).not.toContain('reached');
  });
});

interface Around {
  readonly guard: string;
  readonly app: () => Surroundings;
  readonly configure?: (app: ServedApp['app']) => void;
}

/** In a module of its own, as apps have it. */
const inModule = (...providers: Provider[]): Surroundings => {
  @Module({ providers: [Rules, ...providers] })
  class AuthModule {}
  return { imports: [AuthModule] };
};

const route = denyingGuards('http');

const AROUND: Readonly<Record<string, Around>> = {
  APP_GUARD: { guard: 'class', app: () => inModule({ provide: APP_GUARD, useClass: DenyingGuard }) },
  'a request-scoped APP_GUARD': {
    guard: 'request-scoped class',
    app: () => inModule({ provide: APP_GUARD, useClass: ScopedDenyingGuard }),
  },
  'a transient APP_GUARD': {
    guard: 'transient class',
    app: () => inModule({ provide: APP_GUARD, useClass: TransientDenyingGuard }),
  },
  'an APP_GUARD that exists': {
    guard: 'class',
    app: () => inModule(DenyingGuard, { provide: APP_GUARD, useExisting: DenyingGuard }),
  },
  'an APP_GUARD of a factory': {
    guard: 'class',
    app: () => inModule({ provide: APP_GUARD, useFactory: (rules: Rules) => new DenyingGuard(rules), inject: [Rules] }),
  },
  'an APP_GUARD that is a value': {
    guard: 'instance',
    app: () => inModule({ provide: APP_GUARD, useValue: instance }),
  },
  useGlobalGuards: { guard: 'instance', app: () => ({}), configure: (app) => void app.useGlobalGuards(instance) },
  'a guard of the endpoint': {
    guard: 'class',
    app: () => ({ http: { guards: [route.DenyingGuard] }, providers: [route.DenyingGuard] }),
  },
  'a request-scoped guard of the endpoint': {
    guard: 'request-scoped class',
    app: () => ({ http: { guards: [route.ScopedDenyingGuard] }, providers: [route.ScopedDenyingGuard] }),
  },
  'an instance as a guard of the endpoint': {
    guard: 'instance',
    app: () => ({ http: { guards: [route.instance] } }),
  },
  'an APP_GUARD that denies routes': {
    guard: 'class',
    app: () => inModule({ provide: APP_GUARD, useClass: route.DenyingGuard }),
  },
};

const UNGUARDED = {
  declared: cellsOf(Object.keys(PLACES), [NONE], 'h'),
  registered: cellsOf(Object.keys(RUNTIME_HOSTS), [NONE], 'm'),
};

describe.each(ADAPTERS)('a denying guard around all hosts on $name', (adapter) => {
  describe.each(Object.entries(AROUND))('as %s', (_name, { guard, app, configure }) => {
    const shared = shareApp(appOf(UNGUARDED, app()), adapter, configure === undefined ? {} : { configure });
    beforeAll(() => registerAll(shared.app, UNGUARDED.registered));

    it.each([...UNGUARDED.declared, ...UNGUARDED.registered])('decides for a $host', async (cell) => {
      expect(await verdictOf(shared.app, cell)).toEqual(denied(guard));
    });
  });
});

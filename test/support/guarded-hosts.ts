import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type INestApplicationContext,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import {
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';

import {
  Completion,
  McpModule,
  McpRegistry,
  Prompt,
  Resource,
  Tool,
  type ComponentEnhancers,
  type HandlerMethod,
} from '../../lib/index.js';
import { mcpRequest } from './mcp-request.js';
import type { ServedApp } from './served-app.js';

export type Guard = Type<CanActivate> | CanActivate;

/** Where guards stand around the components of one host. */
export interface Binding {
  readonly onClass?: readonly Guard[];
  readonly onMethods?: readonly Guard[];
  /** For what is registered at run time. */
  readonly registered?: ComponentEnhancers;
}

export const KINDS = ['tool', 'resource', 'template', 'prompt', 'completion'] as const;

const INPUT = { type: 'object', properties: { a: { type: 'string' } } } as const;

/** Names that no other host of the app has. */
const namesOf = (id: string) => ({
  tool: { name: `${id}_tool`, description: 'd' },
  resource: { name: `${id}_resource`, uri: `docs://${id}/exact`, description: 'd' },
  template: { name: `${id}_template`, uri: `docs://${id}/{a}/template`, description: 'd' },
  prompt: { name: `${id}_prompt`, description: 'd', input: INPUT },
  completion: { prompt: `${id}_prompt`, argument: 'a' },
});

/** One request for a component of each kind, in the order of `KINDS`. */
export const callsOf = (id: string): readonly (readonly [string, Readonly<Record<string, unknown>>])[] => [
  ['tools/call', { name: `${id}_tool` }],
  ['resources/read', { uri: `docs://${id}/exact` }],
  ['resources/read', { uri: `docs://${id}/1/template` }],
  ['prompts/get', { name: `${id}_prompt` }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: `${id}_prompt` }, argument: { name: 'a', value: '' } }],
];

/** What ran, by host and kind; tests empty it. */
export const reached: string[] = [];

const reach = (id: string, kind: string): string => {
  reached.push(`${id} ${kind}`);
  return 'reached';
};

export interface HostPlan extends Binding {
  readonly id: string;
  readonly scope?: Scope;
  readonly durable?: boolean;
}

type HostClass = new () => object;

/** Declares a component of each kind. */
function declaringHost({ id, onMethods = [] }: HostPlan): HostClass {
  const names = namesOf(id);
  class Host {
    @Tool(names.tool)
    @UseGuards(...onMethods)
    tool(): string {
      return reach(id, 'tool');
    }

    @Resource(names.resource)
    @UseGuards(...onMethods)
    resource(): string {
      return reach(id, 'resource');
    }

    @Resource(names.template)
    @UseGuards(...onMethods)
    template(): string {
      return reach(id, 'template');
    }

    @Prompt(names.prompt)
    @UseGuards(...onMethods)
    prompt(): string {
      return reach(id, 'prompt');
    }

    @Completion(names.completion)
    @UseGuards(...onMethods)
    completion(): string[] {
      return [reach(id, 'completion')];
    }
  }
  return Host;
}

/** The same methods, for registrations. */
function plainHost({ id, onMethods = [] }: HostPlan): HostClass {
  class Host {
    @UseGuards(...onMethods)
    tool(): string {
      return reach(id, 'tool');
    }

    @UseGuards(...onMethods)
    resource(): string {
      return reach(id, 'resource');
    }

    @UseGuards(...onMethods)
    template(): string {
      return reach(id, 'template');
    }

    @UseGuards(...onMethods)
    prompt(): string {
      return reach(id, 'prompt');
    }

    @UseGuards(...onMethods)
    completion(): string[] {
      return [reach(id, 'completion')];
    }
  }
  return Host;
}

function finish(host: HostClass, { onClass = [], scope = Scope.DEFAULT, durable = false }: HostPlan): HostClass {
  UseGuards(...onClass)(host);
  Injectable({ scope, durable })(host);
  return host;
}

const declared = (plan: HostPlan): HostClass => finish(declaringHost(plan), plan);

@Injectable({ scope: Scope.REQUEST })
class Session {}

class Original {}

const TOKEN = Symbol('host');

type Place = (plan: HostPlan) => ModuleMetadata;

const controlled = (plan: HostPlan): HostClass => {
  const host = declared(plan);
  Controller({ scope: plan.scope ?? Scope.DEFAULT })(host);
  return host;
};

const scoped = (place: Place): Place => {
  return (plan) => place({ ...plan, scope: Scope.REQUEST });
};

const tokened: Place = (plan) => ({ providers: [{ provide: TOKEN, useClass: declared(plan) }] });

/** Everything by which a module may hold the instance whose methods are components. */
export const HOSTS: Readonly<Record<string, Place>> = {
  provider: (plan) => ({ providers: [declared(plan)] }),
  'class under a token': tokened,
  'class in place of another': (plan) => ({ providers: [{ provide: Original, useClass: declared(plan) }] }),
  'subclass of a guarded class': (plan) => {
    @Injectable()
    class Child extends declared(plan) {}
    @Injectable()
    class Grandchild extends Child {}
    return { providers: [Grandchild] };
  },
  controller: (plan) => ({ controllers: [controlled(plan)] }),
  'provider in a feature': (plan) => ({
    imports: [McpModule.forFeature({ providers: [declared(plan), Rules] })],
  }),
  transient: (plan) => ({ providers: [declared({ ...plan, scope: Scope.TRANSIENT })] }),
  'request-scoped provider': scoped((plan) => ({ providers: [declared(plan)] })),
  'request-scoped controller': scoped((plan) => ({ controllers: [controlled(plan)] })),
  'request-scoped class under a token': scoped(tokened),
  'provider that injects something request-scoped': (plan) => {
    const host = declared(plan);
    Inject(Session)(host.prototype as object, 'session');
    return { providers: [Session, host] };
  },
  'durable provider': scoped((plan) => ({ providers: [declared({ ...plan, durable: true })] })),
};

/** Hosts for which Nest makes no enhancers of its own. */
export const BARE_HOSTS: Readonly<Record<string, Place>> = {
  value: (plan) => ({ providers: [{ provide: TOKEN, useValue: new (declared(plan))() }] }),
  factory: (plan) => ({ providers: [{ provide: TOKEN, useFactory: () => new (declared(plan))() }] }),
};

type Registration = (kind: (typeof KINDS)[number]) => (() => unknown) | HandlerMethod;

interface RuntimeHost {
  readonly place: Place;
  readonly handlers: (plan: HostPlan) => Registration;
}

/** By token, so that each host is found among those of the same name. */
const methodsOf = (id: string): Registration => {
  return (kind) => [`runtime ${id}`, kind];
};

const runtimePlace = (scope: Scope): Place => {
  return (plan) => ({
    providers: [{ provide: `runtime ${plan.id}`, useClass: finish(plainHost(plan), { ...plan, scope }) }],
  });
};

export const RUNTIME_HOSTS: Readonly<Record<string, RuntimeHost>> = {
  'method, registered at run time': {
    place: runtimePlace(Scope.DEFAULT),
    handlers: ({ id }) => methodsOf(id),
  },
  'method of a request-scoped provider, registered at run time': {
    place: runtimePlace(Scope.REQUEST),
    handlers: ({ id }) => methodsOf(id),
  },
  'function, registered at run time': {
    place: () => ({}),
    handlers:
      ({ id }) =>
      (kind) =>
      () =>
        kind === 'completion' ? [reach(id, kind)] : reach(id, kind),
  },
};

/** Registers a component of each kind. */
export async function register(
  { app }: { readonly app: INestApplicationContext },
  host: RuntimeHost,
  plan: HostPlan,
): Promise<void> {
  const registry = app.get(McpRegistry, { strict: false });
  const names = namesOf(plan.id);
  const handlers = host.handlers(plan);
  const enhancers = plan.registered ?? {};
  await registry.addTool(names.tool, handlers('tool') as HandlerMethod, enhancers);
  await registry.addResource(names.resource, handlers('resource') as HandlerMethod, enhancers);
  await registry.addResource(names.template, handlers('template') as HandlerMethod, enhancers);
  await registry.addPrompt(names.prompt, handlers('prompt') as HandlerMethod, enhancers);
  await registry.addCompletion(names.completion, handlers('completion'), enhancers);
}

/** A module for each host, so that none lends another its enhancers. */
export function moduleFor(metadata: ModuleMetadata): DynamicModule {
  @Module({})
  class HostModule {}
  return { module: HostModule, ...metadata, providers: [Rules, ...(metadata.providers ?? [])] };
}

/** A dependency, so that a guard that Nest did not make fails. */
@Injectable()
export class Rules {
  readonly present = true;
}

/** How often guards were asked for the type of context that they deny; tests empty it. */
export const asked: string[] = [];

export interface DenyingGuards {
  readonly DenyingGuard: Type<CanActivate>;
  readonly ScopedDenyingGuard: Type<CanActivate>;
  readonly TransientDenyingGuard: Type<CanActivate>;
  readonly instance: CanActivate;
}

/** The same guard in every form in which it can be bound; it denies one type of context and lets the other pass. */
export function denyingGuards(type: 'http' | 'mcp'): DenyingGuards {
  const decide = (name: string, rules: Rules, current: string): boolean => {
    if (!rules.present || current !== type) return true;
    asked.push(name);
    return false;
  };

  @Injectable()
  class DenyingGuard implements CanActivate {
    constructor(private readonly rules: Rules) {}

    canActivate(context: { getType(): string }): boolean {
      return decide('class', this.rules, context.getType());
    }
  }

  @Injectable({ scope: Scope.REQUEST })
  class ScopedDenyingGuard implements CanActivate {
    constructor(
      @Inject(REQUEST) private readonly request: { headers?: object; tenant?: string },
      private readonly rules: Rules,
    ) {}

    canActivate(context: { getType(): string }): boolean {
      // In a durable tree Nest hands over the tenant's payload instead of the request.
      if (Object.keys(this.request.headers ?? {}).length === 0 && this.request.tenant === undefined) return true;
      return decide('request-scoped class', this.rules, context.getType());
    }
  }

  @Injectable({ scope: Scope.TRANSIENT })
  class TransientDenyingGuard implements CanActivate {
    constructor(private readonly rules: Rules) {}

    canActivate(context: { getType(): string }): boolean {
      return decide('transient class', this.rules, context.getType());
    }
  }

  const instance: CanActivate = {
    canActivate: (context) => decide('instance', new Rules(), context.getType<string>()),
  };
  return { DenyingGuard, ScopedDenyingGuard, TransientDenyingGuard, instance };
}

/** One context for all that is durable of a tenant, as an app with many tenants has it. */
export class ByTenant implements ContextIdStrategy {
  private readonly ids = new Map<string, ContextId>();

  attach(
    contextId: ContextId,
    request: { headers: Readonly<Record<string, string>> },
  ): ReturnType<ContextIdStrategy['attach']> {
    const tenant = request.headers['x-tenant'] ?? '';
    const shared = this.ids.get(tenant) ?? ContextIdFactory.create();
    this.ids.set(tenant, shared);
    return { resolve: (info: HostComponentInfo) => (info.isTreeDurable ? shared : contextId), payload: { tenant } };
  }
}

export interface PlainAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks for the component of each kind, in the order of `KINDS`; a refusal of the endpoint is no JSON-RPC. */
export async function askEach({ url }: ServedApp, id: string): Promise<readonly PlainAnswer[]> {
  reached.length = 0;
  asked.length = 0;
  const answers: PlainAnswer[] = [];
  for (const [method, params] of callsOf(id)) {
    const { headers, body } = mcpRequest(method, params, { headers: { 'x-tenant': 'acme' } });
    const response = await fetch(url, { method: 'POST', headers, body });
    answers.push({ status: response.status, text: await response.text() });
  }
  return answers;
}

import { Injectable } from '@nestjs/common';
import { ContextIdFactory, ExternalContextCreator } from '@nestjs/core';

import type { ComponentHost, RegisteredComponent } from '../../registry/registered-component.js';
import { refuseSkippedEnhancers } from '../../registry/skipped-enhancers.js';
import type { ComponentSchema } from '../../schema/component-schema.js';
import type { Call } from '../calls/call.js';
import { fitContextCreator } from './handler.context.js';
import { HostScope, type CallInstance } from './host.scope.js';
import type { NestInvocation } from './nest-internals.js';
import { parameterFactory } from './parameter.factory.js';
import { standInFor } from './response.stand-in.js';

/** Runs a component's method with everything Nest puts around it. */
export type Invocation = (call: Call) => Promise<unknown>;

/** Wraps user methods with guards, interceptors, pipes and filters, once at start-up. */
@Injectable()
export class HandlerFactory {
  constructor(
    private readonly creator: ExternalContextCreator,
    private readonly scope: HostScope,
  ) {}

  create(component: RegisteredComponent): Invocation {
    const { host } = component;
    refuseSkippedEnhancers(host);
    const creator = fitContextCreator(this.creator, host, schemaOf(component));
    if (this.scope.isStatic(host)) {
      const instance = host.carrier ?? (host.wrapper.instance as object);
      const method = methodOf(host, instance);
      const invoke = wrap(creator, host, { instance }, host.enhancers?.around(method) ?? method);
      return (call) => guarded(invoke, call);
    }
    return async (call) => {
      const { caller } = call.request;
      const contextId = ContextIdFactory.getByRequest(caller.request ?? {});
      const scoped = await this.scope.resolve(host, contextId, caller.request);
      const method = methodOf(host, scoped.instance);
      const enhanced = (await host.enhancers?.aroundIn(method, contextId)) ?? method;
      return guarded(wrap(creator, host, scoped, enhanced), call);
    };
  }
}

/** Guards come first; interceptors, or the handler, note that they have let the call in. */
function guarded(invoke: NestInvocation, call: Call): Promise<unknown> {
  call.guarding = true;
  const { request, response } = call.request.caller;
  return invoke(request, standInFor(response), call);
}

function schemaOf(component: RegisteredComponent): ComponentSchema | undefined {
  return component.kind === 'resource' || component.kind === 'completion' ? undefined : component.input;
}

type Method = (...args: never[]) => unknown;

function methodOf(host: ComponentHost, instance: object): Method {
  return (instance as Readonly<Record<string, Method>>)[host.method];
}

function wrap(
  creator: ExternalContextCreator,
  host: ComponentHost,
  { instance, contextId }: CallInstance,
  method: Method,
): NestInvocation {
  return creator.create(
    instance,
    method as never,
    host.method,
    '__routeArguments__',
    parameterFactory,
    contextId,
    contextId === undefined ? undefined : host.wrapper.id,
    { guards: true, interceptors: true, filters: true },
    'mcp',
  ) as NestInvocation;
}

import { Injectable } from '@nestjs/common';
import { ContextIdFactory, ExternalContextCreator } from '@nestjs/core';

import { InvalidComponentError } from '../../errors/invalid-component.error.js';
import type { ComponentHost, RegisteredComponent } from '../../registry/registered-component.js';
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
    this.refuseSkippedEnhancers(host);
    const creator = fitContextCreator(this.creator, host, schemaOf(component));
    if (this.scope.isStatic(host)) {
      const invoke = wrap(creator, host, { instance: host.wrapper.instance as object });
      return (call) => invoke(call.request.caller.request, standInFor(call.request.caller.response), call);
    }
    return async (call) => {
      const { caller } = call.request;
      const contextId = ContextIdFactory.getByRequest(caller.request ?? {});
      const scoped = await this.scope.resolve(host, contextId, caller.request);
      return wrap(creator, host, scoped)(caller.request, standInFor(caller.response), call);
    };
  }

  /** An enhancer class that its module cannot resolve would be skipped without a word. */
  private refuseSkippedEnhancers(host: ComponentHost): void {
    for (const enhancer of this.scope.unresolvedEnhancers(host)) {
      throw new InvalidComponentError(
        host.owner,
        `Nest makes no ${enhancer} for a host that is a value or comes from a factory, and would skip it. Provide the class itself, or give the decorator an instance: new ${enhancer}(...).`,
      );
    }
  }
}

function schemaOf(component: RegisteredComponent): ComponentSchema | undefined {
  return component.kind === 'resource' || component.kind === 'completion' ? undefined : component.input;
}

function wrap(creator: ExternalContextCreator, host: ComponentHost, scoped: CallInstance): NestInvocation {
  const { instance, contextId } = scoped;
  const callback = (instance as Record<string, (...args: unknown[]) => unknown>)[host.method] as never;
  return creator.create(
    instance,
    callback,
    host.method,
    '__routeArguments__',
    parameterFactory,
    contextId,
    contextId === undefined ? undefined : host.wrapper.id,
    { guards: true, interceptors: true, filters: true },
    'mcp',
  ) as NestInvocation;
}

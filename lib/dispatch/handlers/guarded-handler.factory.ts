import { Injectable } from '@nestjs/common';
import { ContextIdFactory, ExternalContextCreator } from '@nestjs/core';

import type { ComponentHost, RegisteredComponent } from '../../registry/registered-component.js';
import { refuseSkippedEnhancers } from '../../registry/skipped-enhancers.js';
import { MirrorCheck } from './parameter-headers.check.js';
import type { Call } from '../calls/call.js';
import { planDirectArguments, runDirectly } from './handler.arguments.js';
import { fitContextCreator, runBare, type Core, FoundEnhancers } from './handler.context.js';
import { HostScope, type CallTarget } from './host.scope.js';
import type { NestInvocation } from './nest-internals.js';
import { parameterFactory } from './parameter.factory.js';
import { standInFor } from '../calls/response.facade.js';

/** Runs a component's method with its enhancers; synchronous if method and enhancers are. */
export type Invocation = (call: Call) => unknown;

/** Wraps user methods with guards, interceptors, pipes and filters, once at start-up. */
@Injectable()
export class GuardedHandlerFactory {
  constructor(
    private readonly creator: ExternalContextCreator,
    private readonly scope: HostScope,
  ) {}

  create(component: RegisteredComponent): Invocation {
    const { host } = component;
    refuseSkippedEnhancers(host);
    const core = coreOf(component);
    const enhancers = new FoundEnhancers();
    const creator = fitContextCreator(this.creator, host, core, enhancers);
    if (!this.scope.isStatic(host)) return (call) => this.runScoped(creator, host, call);
    const target = this.scope.only(host);
    const invoke = wrap(creator, host, target);
    const { direct } = core;
    if (!enhancers.isBare || direct === undefined) return (call) => guarded(invoke, call);
    return (call) => runBare(call, core, (entered) => runDirectly(direct, target, entered));
  }

  private async runScoped(creator: ExternalContextCreator, host: ComponentHost, call: Call): Promise<unknown> {
    const { caller } = call.request;
    const contextId = ContextIdFactory.getByRequest(caller.request ?? {});
    const target = await this.scope.resolve(host, contextId, caller.request);
    return guarded(wrap(creator, host, target), call);
  }
}

/** Starts the call in stage `guarding`; interceptors, or the handler, change it to `entered`. */
function guarded(invoke: NestInvocation, call: Call): Promise<unknown> {
  call.enter('guarding');
  const { request, response } = call.request.caller;
  return invoke(request, call.held?.standInFor(response) ?? standInFor(response), call);
}

function coreOf(component: RegisteredComponent): Core {
  const schema = component.kind === 'resource' || component.kind === 'completion' ? undefined : component.input;
  const marks = component.kind === 'tool' ? component.headerMarks : undefined;
  return { schema, mirrors: marks && new MirrorCheck(marks), direct: planDirectArguments(component.host.parameters) };
}

function wrap(
  creator: ExternalContextCreator,
  host: ComponentHost,
  { instance, method, contextId }: CallTarget,
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

import { Inject, Injectable } from '@nestjs/common';

import { MCP_SCOPE } from '../../mcp.constants.js';
import type { Arguments, Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { RegisteredComponent } from '../../registry/registered-component.js';
import type { ServerScope } from '../../registry/server-scope.js';
import { FormCompiler } from '../../inputs/form/form.compiler.js';
import { StateKeeper } from '../rounds/state.keeper.js';
import { Call, type CallHome } from './call.js';
import type { CallLink } from './call-link.js';
import { FaultMapper, findRefusal } from '../fault.mapper.js';
import { HandlerFactory, type Invocation } from '../handlers/handler.factory.js';
import { faulty } from '../operation-handler.js';

/** How one kind of operation reads what its handler returned or threw. */
export interface CallEnding<C extends RegisteredComponent, O extends Operation> {
  returned(value: unknown, component: C, request: OperationRequest<O>): Outcome | Promise<Outcome>;
  threw(error: unknown, component: C, request: OperationRequest<O>): Outcome;
}

const CANCELLED: Outcome = Object.freeze({ kind: 'cancelled' });

/** Runs component methods; their wrappers are made once, when the app has all its global enhancers. */
@Injectable()
export class CallRunner {
  /** Weak, since components can be removed at run time. */
  private readonly invocations = new WeakMap<RegisteredComponent, Invocation>();
  private readonly home: CallHome;

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly factory: HandlerFactory,
    keeper: StateKeeper,
    forms: FormCompiler,
    faults: FaultMapper,
    @Inject(MCP_SCOPE) { server }: ServerScope,
  ) {
    this.home = { server, rounds: { keeper, forms, faults } };
  }

  prepare(): void {
    for (const component of this.registry.all()) this.invocations.set(component, this.factory.create(component));
  }

  async run<C extends RegisteredComponent, O extends Operation>(
    component: C,
    args: Arguments,
    request: OperationRequest<O>,
    link: CallLink,
    ending: CallEnding<C, O>,
  ): Promise<Outcome> {
    const call = new Call(request, component, args, link, this.home);
    link.started(call);
    try {
      const value = await this.invocationOf(component)(call);
      const unsent = call.settled();
      if (unsent !== undefined) await unsent;
      // Nobody reads the result, and an aborted handler may have returned anything.
      if (call.cancelled) return CANCELLED;
      const { foregone } = call;
      if (foregone !== undefined) return foregone;
      const outcome = ending.returned(value, component, request);
      return outcome instanceof Promise ? await outcome : outcome;
    } catch (error) {
      const unsent = call.settled();
      if (unsent !== undefined) await unsent;
      // A handler that gave up because it was told to has not failed.
      if (call.cancelled) return CANCELLED;
      if (call.interruption !== undefined) return call.interruption;
      const fault = call.guarding ? findRefusal(error) : undefined;
      return fault === undefined ? ending.threw(error, component, request) : faulty(fault);
    }
  }

  private invocationOf(component: RegisteredComponent): Invocation {
    let invocation = this.invocations.get(component);
    if (invocation === undefined) {
      invocation = this.factory.create(component);
      this.invocations.set(component, invocation);
    }
    return invocation;
  }
}

import { Injectable } from '@nestjs/common';

import type { Arguments, Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { RegisteredComponent } from '../../registry/registered-component.js';
import { Call, type CallLink } from './call.js';
import { HandlerFactory, type Invocation } from '../handlers/handler.factory.js';

/** How one kind of operation reads what its handler returned or threw. */
export interface CallEnding<C extends RegisteredComponent, O extends Operation> {
  returned(value: unknown, component: C, request: OperationRequest<O>): Outcome | Promise<Outcome>;
  threw(error: unknown, component: C, request: OperationRequest<O>): Outcome;
}

/** Runs component methods; their wrappers are made once, when the app has all its global enhancers. */
@Injectable()
export class CallRunner {
  private readonly invocations = new Map<RegisteredComponent, Invocation>();

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly factory: HandlerFactory,
  ) {}

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
    const call = new Call(request, component, args, link);
    link.started(call);
    try {
      const value = await this.invocationOf(component)(call);
      if (call.interruption !== undefined) return call.interruption;
      const outcome = ending.returned(value, component, request);
      return outcome instanceof Promise ? await outcome : outcome;
    } catch (error) {
      return call.interruption ?? ending.threw(error, component, request);
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

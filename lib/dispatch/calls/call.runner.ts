import { Injectable } from '@nestjs/common';

import type { Arguments, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { RegisteredComponent } from '../../registry/registered-component.js';
import { Call, type EventSink } from './call.js';
import { HandlerFactory, type Invocation } from '../handlers/handler.factory.js';

/** What connects a running handler to whoever waits for it. */
export interface CallLink {
  readonly sink: EventSink;
  /** Told once, before the handler starts, so that it can be cancelled. */
  readonly started: (call: Call) => void;
}

/** How one kind of operation reads what its handler returned or threw. */
export interface CallEnding {
  readonly returned: (value: unknown) => Outcome | Promise<Outcome>;
  readonly threw: (error: unknown) => Outcome;
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

  async run(
    component: RegisteredComponent,
    args: Arguments,
    request: OperationRequest,
    link: CallLink,
    ending: CallEnding,
  ): Promise<Outcome> {
    const call = new Call(request, component, args, link.sink);
    link.started(call);
    try {
      const value = await this.invocationOf(component)(call);
      return call.interruption ?? (await ending.returned(value));
    } catch (error) {
      return call.interruption ?? ending.threw(error);
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

import type { Arguments, Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { RegisteredComponent } from '../../registry/registered-component.js';
import type { AccessOptions } from '../access/access.control.js';
import { Call, type CallEnvironment } from '../calls/call.js';
import type { CallLink } from '../calls/call-link.js';
import { findRefusal } from '../fault.mapper.js';
import { GuardedHandlerFactory, type Invocation } from '../handlers/guarded-handler.factory.js';
import { HeldHeaders } from '../calls/response.facade.js';
import { faulty } from '../operation-handler.js';

/** Converts the return values and errors of handlers to outcomes, for one kind of operation. */
export interface CallEnding<C extends RegisteredComponent, O extends Operation> {
  returned(value: unknown, component: C, request: OperationRequest<O>): Outcome | Promise<Outcome>;
  threw(error: unknown, component: C, request: OperationRequest<O>): Outcome;
}

const CANCELLED: Outcome = Object.freeze({ kind: 'cancelled' });

/** Runs component methods. Their wrappers are created on the first call, when the app has all its global enhancers. */
export class CallRunner {
  /** Weak, since components can be removed at run time. */
  private readonly invocations = new WeakMap<RegisteredComponent, Invocation>();

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly factory: GuardedHandlerFactory,
    private readonly environment: CallEnvironment,
    private readonly options: AccessOptions,
  ) {}

  prepare(): void {
    for (const component of this.registry.all()) this.invocations.set(component, this.factory.create(component));
  }

  /** Synchronous if the handler and its enhancers are. */
  run<C extends RegisteredComponent, O extends Operation>(
    component: C,
    args: Arguments,
    request: OperationRequest<O>,
    link: CallLink,
    ending: CallEnding<C, O>,
  ): Outcome | Promise<Outcome> {
    const call = new Call(request, component, args, link, this.environment);
    if (this.options.conceal) call.held = new HeldHeaders();
    link.started(call);
    try {
      const value = this.invocationOf(component)(call);
      if (!(value instanceof Promise)) return returned(call, value, ending);
      return call.entrance(value).then(
        (settled) => returned(call, settled, ending),
        (error: unknown) => threw(call, error, ending),
      );
    } catch (error) {
      return threw(call, error, ending);
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

/** `CallEnding` for any kind of component. */
type End = CallEnding<RegisteredComponent, Operation>;

function returned(call: Call, value: unknown, end: End): Outcome | Promise<Outcome> {
  try {
    const unsent = call.settled();
    const outcome = unsent === undefined ? read(call, value, end) : unsent.then(() => read(call, value, end));
    return outcome instanceof Promise ? outcome.catch((error: unknown) => threw(call, error, end)) : outcome;
  } catch (error) {
    return threw(call, error, end);
  }
}

function read(call: Call, value: unknown, end: End): Outcome | Promise<Outcome> {
  // The result is not sent, and an aborted handler may have returned an invalid one.
  if (call.cancelled) return CANCELLED;
  call.reveal();
  const { forcedOutcome, component, request } = call;
  if (!(forcedOutcome instanceof Promise)) return forcedOutcome ?? end.returned(value, component, request);
  return forcedOutcome.then((outcome) => outcome ?? end.returned(value, component, request));
}

function threw(call: Call, error: unknown, end: End): Outcome | Promise<Outcome> {
  const unsent = call.settled();
  return unsent === undefined ? explain(call, error, end) : unsent.then(() => explain(call, error, end));
}

function explain(call: Call, error: unknown, end: End): Outcome {
  // An error of an aborted handler is not a failure.
  if (call.cancelled) return CANCELLED;
  const isRefused = call.stage === 'guarding' && call.interruption === undefined;
  const refusal = isRefused ? findRefusal(error) : undefined;
  // Without `reveal`, since headers that the guards have set would reveal a concealed refusal.
  if (refusal !== undefined) return faulty(refusal);
  call.reveal();
  return call.interruption ?? end.threw(error, call.component, call.request);
}

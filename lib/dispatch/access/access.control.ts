import type { Fault } from '../../model/fault.js';
import type { OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import type { Caller } from '../../model/peer.js';
import type { ComponentRegistry } from '../../registry/component.registry.js';
import { isGuardedHost } from '../../registry/placed-guards.js';
import type { CompletionComponent, ListedComponent } from '../../registry/registered-component.js';
import type { CallLink } from '../calls/call-link.js';
import type { FaultMapper } from '../fault.mapper.js';
import { faulty } from '../operation-handler.js';
import { questionAbout, type AccessRules, type PolicyGate, type PolicyVerdict } from './access.rules.js';
import { askInOrder } from './answers.js';
import type { ListGuards } from './list.guards.js';
import { Deliberation } from './deliberation.js';
import { GuardRound, passes } from './guard.round.js';
import { findResourceTarget, targetUri, type ResourceTarget } from './resource-target.js';

export interface AccessOptions {
  /** Whether a refusal is answered as if the component did not exist. */
  readonly conceal: boolean;
}

/** A component that a caller wants to use. */
export interface ComponentUse {
  readonly component: ListedComponent;
  /** Set where one URI of a template is read. */
  readonly target?: ResourceTarget;
  /** Set where an argument of the component is completed, and the component itself is not called. */
  readonly completion?: { readonly by: CompletionComponent | undefined };
  /** The answer for a component that does not exist. */
  readonly unknown: () => Outcome;
}

type Refusal = Fault | undefined;

/** Decides whether a caller may use a component, before its arguments are read. The guards of the component run later, in the call. */
export class AccessControl {
  constructor(
    private readonly registry: ComponentRegistry,
    private readonly rules: AccessRules,
    private readonly guards: ListGuards,
    private readonly policy: PolicyGate,
    private readonly faults: FaultMapper,
    private readonly options: AccessOptions,
  ) {}

  /** Runs the operation if the caller is allowed to; synchronous where neither the policy nor guards decide. */
  enter(
    use: ComponentUse,
    request: OperationRequest,
    link: CallLink,
    run: () => Outcome | Promise<Outcome>,
  ): Outcome | Promise<Outcome> {
    try {
      const refusal = this.requirementOf(use, request);
      if (refusal !== undefined || !this.asksPolicyOrGuards(use)) return this.answer(refusal, use, run);
      return this.deliberate(use, request, new Deliberation(link), run);
    } catch (error) {
      return this.fail(error, use);
    }
  }

  /**
   * Returns the URIs that the caller may read. Unknown URIs are included unless refusals are concealed, since a
   * concealed resource must look like an unknown one.
   *
   * @throws or rejects when a guard or the policy fails.
   */
  readable(
    uris: readonly string[],
    request: OperationRequest,
    deliberation: Deliberation,
  ): readonly string[] | Promise<readonly string[]> {
    const targets = uris.map((uri) => findResourceTarget(this.registry, uri));
    const isOpen = targets.every(
      (target) =>
        target === undefined ||
        (this.rules.of(target.component.host) === undefined && !isGuardedHost(target.component.host)),
    );
    if (isOpen && !this.policy.isPresent) {
      return this.options.conceal ? uris.filter((_uri, index) => targets[index] !== undefined) : uris;
    }
    const passed = this.passAll(targets, new GuardRound(request, deliberation, true));
    return passed.then((settled) => uris.filter((_uri, index) => settled[index]));
  }

  private async passAll(
    targets: readonly (ResourceTarget | undefined)[],
    round: GuardRound,
  ): Promise<readonly boolean[]> {
    const { caller } = round.request;
    const entitled = targets.map(
      (target) => target !== undefined && this.rules.refusalFor(target.component.host, caller) === undefined,
    );
    const verdicts = (this.policy.isPresent ? await this.askPolicy(targets, entitled, caller) : []).values();
    const allowed = entitled.map((isEntitled) => isEntitled && verdicts.next().value === undefined);
    return askInOrder(targets.length, (index) => {
      const target = targets[index];
      if (target === undefined || !allowed[index]) return target === undefined && !this.options.conceal;
      return passes(this.guards.ask(target.component, round, target.variables));
    });
  }

  private askPolicy(
    targets: readonly (ResourceTarget | undefined)[],
    entitled: readonly boolean[],
    caller: Caller,
  ): Promise<readonly PolicyVerdict[]> {
    const questions = targets.flatMap((target, index) =>
      target !== undefined && entitled[index]
        ? [questionAbout(target.component, 'invocation', caller, targetUri(target))]
        : [],
    );
    return this.policy.ask(questions, caller.request);
  }

  /** Checks the required scopes and roles, which come before policy and guards. */
  private requirementOf({ component, completion }: ComponentUse, { caller }: OperationRequest): Refusal {
    const refusal = this.rules.refusalFor(component.host, caller);
    if (refusal !== undefined || completion?.by === undefined) return refusal;
    return this.rules.refusalFor(completion.by.host, caller);
  }

  /** Whether the policy or guards have to decide; the guards of a called component run in its call. */
  private asksPolicyOrGuards({ completion }: ComponentUse): boolean {
    return completion !== undefined || this.policy.isPresent;
  }

  private deliberate(
    use: ComponentUse,
    request: OperationRequest,
    deliberation: Deliberation,
    run: () => Outcome | Promise<Outcome>,
  ): Outcome | Promise<Outcome> {
    const refusal = this.refusalFor(use, request, deliberation);
    if (!(refusal instanceof Promise)) return this.answer(refusal, use, run);
    const next = (settled: Refusal): Outcome | Promise<Outcome> => this.answer(settled, use, run);
    return deliberation.wait(refusal, next, (error) => this.fail(error, use));
  }

  /** Asks the policy first, then the guards of the component whose argument is completed. */
  private refusalFor(
    use: ComponentUse,
    request: OperationRequest,
    deliberation: Deliberation,
  ): Refusal | Promise<Refusal> {
    const { component, completion } = use;
    const passGuards = (): Refusal | Promise<Refusal> =>
      completion === undefined ? undefined : this.passGuards(component, completion.by, request, deliberation);
    if (!this.policy.isPresent) return passGuards();
    return this.passPolicy(use, request).then((refused) => refused ?? passGuards());
  }

  private async passPolicy({ component, target }: ComponentUse, { caller }: OperationRequest): Promise<Refusal> {
    const question = questionAbout(component, 'invocation', caller, target && targetUri(target));
    const [refusal] = await this.policy.ask([question], caller.request);
    return refusal && { kind: 'refused', ...refusal };
  }

  /** Runs the guards that do not run in the call of the completion anyway, so that no guard runs twice. */
  private passGuards(
    component: ListedComponent,
    by: CompletionComponent | undefined,
    request: OperationRequest,
    deliberation: Deliberation,
  ): Refusal | Promise<Refusal> {
    return this.guards.ask(component, new GuardRound(request, deliberation, false), undefined, by?.host);
  }

  private answer(
    refusal: Refusal,
    { unknown }: ComponentUse,
    run: () => Outcome | Promise<Outcome>,
  ): Outcome | Promise<Outcome> {
    const { conceal } = this.options;
    if (refusal !== undefined) return conceal ? unknown() : faulty(refusal);
    const outcome = run();
    if (!conceal) return outcome;
    const concealed = (settled: Outcome): Outcome => (isRefusal(settled) ? unknown() : settled);
    return outcome instanceof Promise ? outcome.then(concealed) : concealed(outcome);
  }

  private fail(error: unknown, { component }: ComponentUse): Outcome {
    return faulty(this.faults.hide(error, `Access to ${component.host.owner}`));
  }
}

/** Whether the guards of a call have refused it. */
function isRefusal(outcome: Outcome): boolean {
  return outcome.kind === 'fault' && (outcome.fault.kind === 'unauthenticated' || outcome.fault.kind === 'forbidden');
}

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
  /** Whether a refusal looks as if there were no such component. */
  readonly conceal: boolean;
}

/** A component that somebody wants to use. */
export interface Passage {
  readonly component: ListedComponent;
  /** Set where one of the many URIs of a template is meant. */
  readonly target?: ResourceTarget;
  /** Set where the component is not called itself, but something is completed for it. */
  readonly completion?: { readonly by: CompletionComponent | undefined };
  /** The answer if there were no such component. */
  readonly unknown: () => Outcome;
}

type Refusal = Fault | undefined;

/** Decides who may use a component, before its arguments are looked at; its own guards follow within the call. */
export class AccessControl {
  constructor(
    private readonly registry: ComponentRegistry,
    private readonly rules: AccessRules,
    private readonly guards: ListGuards,
    private readonly policy: PolicyGate,
    private readonly faults: FaultMapper,
    private readonly options: AccessOptions,
  ) {}

  /** Runs the operation for a caller who may; costs nothing where nothing is asked. */
  enter(
    passage: Passage,
    request: OperationRequest,
    link: CallLink,
    run: () => Outcome | Promise<Outcome>,
  ): Outcome | Promise<Outcome> {
    try {
      const refusal = this.requirementOf(passage, request);
      if (refusal !== undefined || !this.asksOthers(passage)) return this.answer(refusal, passage, run);
      return this.deliberate(passage, request, new Deliberation(link), run);
    } catch (error) {
      return this.fail(error, passage);
    }
  }

  /**
   * Those of the URIs that the caller may read, and those that nothing answers: the latter only where refusals are
   * explained, since what is concealed must look the same.
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

  /** What is asked of the caller comes first. */
  private requirementOf({ component, completion }: Passage, { caller }: OperationRequest): Refusal {
    const refusal = this.rules.refusalFor(component.host, caller);
    if (refusal !== undefined || completion?.by === undefined) return refusal;
    return this.rules.refusalFor(completion.by.host, caller);
  }

  /** Guards of a call run within it. */
  private asksOthers({ completion }: Passage): boolean {
    return completion !== undefined || this.policy.isPresent;
  }

  private deliberate(
    passage: Passage,
    request: OperationRequest,
    deliberation: Deliberation,
    run: () => Outcome | Promise<Outcome>,
  ): Outcome | Promise<Outcome> {
    const refusal = this.refusalFor(passage, request, deliberation);
    if (!(refusal instanceof Promise)) return this.answer(refusal, passage, run);
    const next = (settled: Refusal): Outcome | Promise<Outcome> => this.answer(settled, passage, run);
    return deliberation.wait(refusal, next, (error) => this.fail(error, passage));
  }

  /** First the policy, then the guards of what is completed. */
  private refusalFor(
    passage: Passage,
    request: OperationRequest,
    deliberation: Deliberation,
  ): Refusal | Promise<Refusal> {
    const { component, completion } = passage;
    const passGuards = (): Refusal | Promise<Refusal> =>
      completion === undefined ? undefined : this.passGuards(component, completion.by, request, deliberation);
    if (!this.policy.isPresent) return passGuards();
    return this.passPolicy(passage, request).then((refused) => refused ?? passGuards());
  }

  private async passPolicy({ component, target }: Passage, { caller }: OperationRequest): Promise<Refusal> {
    const question = questionAbout(component, 'invocation', caller, target && targetUri(target));
    const [refusal] = await this.policy.ask([question], caller.request);
    return refusal && { kind: 'refused', ...refusal };
  }

  /** Those of the completion itself run within its call, and no guard runs twice. */
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
    { unknown }: Passage,
    run: () => Outcome | Promise<Outcome>,
  ): Outcome | Promise<Outcome> {
    const { conceal } = this.options;
    if (refusal !== undefined) return conceal ? unknown() : faulty(refusal);
    const outcome = run();
    if (!conceal) return outcome;
    const concealed = (settled: Outcome): Outcome => (isRefusal(settled) ? unknown() : settled);
    return outcome instanceof Promise ? outcome.then(concealed) : concealed(outcome);
  }

  private fail(error: unknown, { component }: Passage): Outcome {
    return faulty(this.faults.hide(error, `Access to ${component.host.owner}`));
  }
}

/** What the guards of a call refused. */
function isRefusal(outcome: Outcome): boolean {
  return outcome.kind === 'fault' && (outcome.fault.kind === 'unauthenticated' || outcome.fault.kind === 'forbidden');
}

import { Injectable } from '@nestjs/common';

import type { ComponentKind } from '../../model/component.js';
import type { Operation, OperationRequest } from '../../model/operation.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { PagedList, PageLookup } from '../../registry/list-page.js';
import { isGuardedHost } from '../../registry/placed-guards.js';
import type { ListedComponent } from '../../registry/registered-component.js';
import { AccessRules, questionAbout, type Requirements, PolicyGate } from './access.rules.js';
import { askInOrder } from './answers.js';
import { ListGuards } from './list.guards.js';
import type { Deliberation } from './deliberation.js';
import { GuardRound, passes } from './guard.round.js';

type ListRequest = OperationRequest<Extract<Operation, { kind: 'list' }>>;

/** Whether each component of a list is shown. */
type Shown = readonly boolean[];

/** Maximum number of different views of one list that are cached with their pages. */
const MAX_VIEWS = 64;

interface ListState {
  readonly isPersonal: boolean;
  /** The requirements of each component; `undefined` if no component has any. */
  readonly requirements: readonly (Requirements | undefined)[] | undefined;
  /** Whether each component has guards that decide about lists. */
  readonly guarded: readonly boolean[];
  readonly views: Map<string, PagedList>;
}

/** Filters lists per caller. Callers who see the same components share pages and their encodings. */
@Injectable()
export class ListViews {
  /** Keyed by the list, which is a new array after every change. */
  private readonly states = new WeakMap<readonly ListedComponent[], ListState>();

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly rules: AccessRules,
    private readonly guards: ListGuards,
    private readonly policy: PolicyGate,
  ) {}

  /** Whether callers may see different components of a kind. */
  isPersonal(kind: ComponentKind): boolean {
    return this.policy.isPresent || this.stateOf(this.registry.listed(kind)).isPersonal;
  }

  /** Whether a component of a kind may be refused to a caller. */
  isGuarded(kind: ComponentKind): boolean {
    return this.isPersonal(kind) || this.registry.listed(kind).some(({ host }) => isGuardedHost(host));
  }

  /** Rejects or throws when a guard or the policy fails, since a failure must not look like an empty list. */
  page(request: ListRequest, deliberation: Deliberation): PageLookup | Promise<PageLookup> {
    const { of: kind, cursor } = request.operation;
    const listed = this.registry.listed(kind);
    const shown = this.shownTo(listed, request, deliberation);
    return shown instanceof Promise
      ? shown.then((settled) => this.view(kind, listed, settled).page(cursor))
      : this.view(kind, listed, shown).page(cursor);
  }

  private shownTo(
    listed: readonly ListedComponent[],
    request: ListRequest,
    deliberation: Deliberation,
  ): Shown | Promise<Shown> {
    const { requirements } = this.stateOf(listed);
    const auth = requirements && request.caller.auth();
    const entitled = listed.map((_component, index) => requirements?.[index]?.refusalFor(auth) === undefined);
    const round = new GuardRound(request, deliberation, false);
    if (!this.policy.isPresent) return this.passGuards(listed, entitled, round);
    return this.passPolicy(listed, entitled, request).then((allowed) => this.passGuards(listed, allowed, round));
  }

  private async passPolicy(listed: readonly ListedComponent[], before: Shown, request: ListRequest): Promise<Shown> {
    const { caller } = request;
    const questions = listed
      .filter((_component, index) => before[index])
      .map((component) => questionAbout(component, 'discovery', caller));
    const verdicts = (await this.policy.ask(questions, caller.request)).values();
    return before.map((shown) => shown && verdicts.next().value === undefined);
  }

  private passGuards(listed: readonly ListedComponent[], before: Shown, round: GuardRound): Shown | Promise<Shown> {
    const { guarded } = this.stateOf(listed);
    return askInOrder(listed.length, (index) => {
      const component = listed[index];
      if (!before[index] || !guarded[index]) return before[index];
      return passes(this.guards.ask(component, round));
    });
  }

  private view(kind: ComponentKind, listed: readonly ListedComponent[], shown: Shown): PagedList {
    const { views } = this.stateOf(listed);
    let key = '';
    for (const isShown of shown) key += isShown ? '1' : '0';
    const view =
      views.get(key) ??
      this.registry.pagesOf(
        kind,
        listed.filter((_component, index) => shown[index]),
      );
    // Moves the last used view to the end, so that the least recently used one is evicted first.
    views.delete(key);
    views.set(key, view);
    const [oldest] = views.keys();
    if (views.size > MAX_VIEWS && oldest !== undefined) views.delete(oldest);
    return view;
  }

  private stateOf(listed: readonly ListedComponent[]): ListState {
    let state = this.states.get(listed);
    if (state === undefined) {
      const asked = listed.map(({ host }) => this.rules.of(host));
      const guarded = listed.map(({ host }) => this.guards.hasListed(host));
      const requirements = asked.some((requirement) => requirement !== undefined) ? asked : undefined;
      const isPersonal = requirements !== undefined || guarded.includes(true);
      state = { isPersonal, requirements, guarded, views: new Map() };
      this.states.set(listed, state);
    }
    return state;
  }
}

import { Injectable } from '@nestjs/common';

import type { ComponentKind } from '../../model/component.js';
import type { Operation, OperationRequest } from '../../model/operation.js';
import type { CacheSubject, CompleteOutcome, Outcome } from '../../model/outcome.js';
import { ComponentRegistry } from '../../registry/component.registry.js';
import type { ListPage, PageLookup } from '../../registry/list-page.js';
import { Deliberation } from '../access/deliberation.js';
import { ListViews } from '../access/list.views.js';
import type { CallLink } from '../calls/call-link.js';
import { FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';

type ListRequest = OperationRequest<Extract<Operation, { kind: 'list' }>>;

const MEMBERS: Readonly<Record<ComponentKind, { member: string; cache: CacheSubject }>> = {
  tool: { member: 'tools', cache: 'tools' },
  prompt: { member: 'prompts', cache: 'prompts' },
  resource: { member: 'resources', cache: 'resources' },
  template: { member: 'resourceTemplates', cache: 'templates' },
};

/** Lists tools, prompts, resources or templates in pages. */
@Injectable()
export class ListComponentsOperation implements OperationHandler<'list'> {
  readonly lane = 'control';
  /** One outcome per page, so that its encoding can be cached too. */
  private readonly outcomes = new WeakMap<ListPage, CompleteOutcome>();

  constructor(
    private readonly registry: ComponentRegistry,
    private readonly views: ListViews,
    private readonly faults: FaultMapper,
  ) {}

  handle(request: ListRequest, link: CallLink): Outcome | Promise<Outcome> {
    const { of: kind, cursor } = request.operation;
    if (!this.views.isPersonal(kind)) return this.answer(this.registry.page(kind, cursor), kind);
    const next = (page: PageLookup): Outcome => this.answer(page, kind);
    const fail = (error: unknown): Outcome => faulty(this.faults.hide(error, `Listing ${MEMBERS[kind].member}`));
    try {
      const deliberation = new Deliberation(link);
      const page = this.views.page(request, deliberation);
      return page instanceof Promise ? deliberation.wait(page, next, fail) : next(page);
    } catch (error) {
      return fail(error);
    }
  }

  private answer(page: PageLookup, kind: ComponentKind): Outcome {
    if (typeof page === 'string') {
      const advice =
        page === 'expired' ? 'The cursor belongs to an earlier state of the list' : 'The cursor is not valid';
      return faulty({ kind: 'invalid-params', message: `${advice}; start again without one` });
    }
    let outcome = this.outcomes.get(page);
    if (outcome === undefined) {
      outcome = outcomeOf(page, kind);
      this.outcomes.set(page, outcome);
    }
    return outcome;
  }
}

function outcomeOf({ items, nextCursor }: ListPage, kind: ComponentKind): CompleteOutcome {
  const { member, cache } = MEMBERS[kind];
  const result = Object.freeze({ [member]: items, ...(nextCursor === undefined ? {} : { nextCursor }) });
  return { kind: 'complete', result, cache, immutable: true };
}

import { Injectable } from '@nestjs/common';

import type { ChangeFilter } from '../../model/change.js';
import type { Operation, OperationRequest } from '../../model/operation.js';
import type { Outcome } from '../../model/outcome.js';
import { ServerProfile } from '../../model/server-profile.js';
import { AccessControl } from '../access/access.control.js';
import { Deliberation } from '../access/deliberation.js';
import type { CallLink } from '../calls/call-link.js';
import { Listening, SubscriptionReview, type Review, type ReviewVerdict } from './listening.js';
import { Rechecks } from './rechecks.js';
import { FaultMapper } from '../fault.mapper.js';
import { faulty, type OperationHandler } from '../operation-handler.js';
import { SubscriptionPort } from './subscription.port.js';

type Listen = Extract<Operation, { kind: 'listen' }>;

/**
 * Opens a subscription, limited to the changes that the server offers and the resources that the caller may read.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
@Injectable()
export class ListenOperation implements OperationHandler<'listen'> {
  readonly lane = 'stream';

  constructor(
    private readonly profile: ServerProfile,
    private readonly port: SubscriptionPort,
    private readonly faults: FaultMapper,
    private readonly access: AccessControl,
    private readonly rechecks: Rechecks,
  ) {}

  handle(request: OperationRequest<Listen>, link: CallLink): Outcome | Promise<Outcome> {
    const deliberation = new Deliberation(link);
    const filter = this.offered(request.operation.filter);
    const next = (uris: readonly string[]): Outcome | Promise<Outcome> => this.open({ ...filter, uris }, request, link);
    const fail = (error: unknown): Outcome => this.fail(error);
    try {
      const uris = this.access.readable(filter.uris, request, deliberation);
      return uris instanceof Promise ? deliberation.wait(uris, next, fail) : next(uris);
    } catch (error) {
      return fail(error);
    }
  }

  private fail(error: unknown): Outcome {
    return faulty(this.faults.hide(error, 'Access to watched resources'));
  }

  private open(filter: ChangeFilter, request: OperationRequest<Listen>, link: CallLink): Outcome | Promise<Outcome> {
    const listening = new Listening(link);
    link.started(listening);
    try {
      const outcome = listening.open(this.port, filter);
      if (outcome instanceof Promise) link.opened();
      if (this.rechecks.isOn && filter.uris.length > 0) this.recheck(listening, filter, request);
      return outcome;
    } catch (error) {
      return faulty(this.faults.hide(error, 'The source of changes'));
    }
  }

  /** Only subscriptions that are rechecked keep their request in memory. */
  private recheck(listening: Listening, filter: ChangeFilter, request: OperationRequest<Listen>): void {
    const review: Review = {
      judge: (current, deliberation) => this.judgeAgain(current, request, deliberation),
      fail: (error) => this.fail(error),
    };
    listening.reviewedBy(() => this.rechecks.begin(new SubscriptionReview(listening, filter, review)));
  }

  private async judgeAgain(
    filter: ChangeFilter,
    request: OperationRequest<Listen>,
    deliberation: Deliberation,
  ): Promise<ReviewVerdict> {
    try {
      return { filter: { ...filter, uris: await this.access.readable(filter.uris, request, deliberation) } };
    } catch (error) {
      return { outcome: this.fail(error) };
    }
  }

  private offered({ tools, prompts, resources, uris }: ChangeFilter): ChangeFilter {
    const { capabilities } = this.profile;
    return {
      tools: tools && has(capabilities['tools'], 'listChanged'),
      prompts: prompts && has(capabilities['prompts'], 'listChanged'),
      resources: resources && has(capabilities['resources'], 'listChanged'),
      uris: has(capabilities['resources'], 'subscribe') ? uris : [],
    };
  }
}

function has(capability: unknown, member: string): boolean {
  return (capability as Readonly<Record<string, unknown>> | undefined)?.[member] === true;
}

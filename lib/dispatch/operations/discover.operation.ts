import { Injectable } from '@nestjs/common';

import type { Outcome } from '../../model/outcome.js';
import { ServerProfile } from '../../model/server-profile.js';
import type { OperationHandler } from '../operation-handler.js';

/** Answers with identity and capabilities of the server. */
@Injectable()
export class DiscoverOperation implements OperationHandler<'discover'> {
  readonly lane = 'control';
  private described: { readonly capabilities: unknown; readonly outcome: Outcome } | undefined;

  constructor(private readonly profile: ServerProfile) {}

  handle(): Outcome {
    const { capabilities } = this.profile;
    // Components that are added or removed at run time can change the capabilities.
    if (this.described?.capabilities !== capabilities) this.described = { capabilities, outcome: this.describe() };
    return this.described.outcome;
  }

  private describe(): Outcome {
    const { capabilities, instructions } = this.profile;
    return {
      kind: 'complete',
      result: Object.freeze({ capabilities, ...(instructions === undefined ? {} : { instructions }) }),
      cache: 'discover',
      immutable: true,
    };
  }
}

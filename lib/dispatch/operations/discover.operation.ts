import { Injectable } from '@nestjs/common';

import type { Outcome } from '../../model/outcome.js';
import { ServerProfile } from '../../model/server-profile.js';
import type { OperationHandler } from '../operation-handler.js';

/** Identity and capabilities. */
@Injectable()
export class DiscoverOperation implements OperationHandler<'discover'> {
  readonly lane = 'control';
  private described: { readonly capabilities: unknown; readonly outcome: Outcome } | undefined;

  constructor(private readonly profile: ServerProfile) {}

  handle(): Outcome {
    const { capabilities } = this.profile;
    // Components that come and go at run time can bring capabilities along.
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

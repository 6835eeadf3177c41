import { Injectable } from '@nestjs/common';

import type { Outcome } from '../../model/outcome.js';
import { ServerProfile } from '../../model/server-profile.js';
import type { OperationHandler } from '../operation-handler.js';

/** Identity and capabilities. */
@Injectable()
export class DiscoverOperation implements OperationHandler<'discover'> {
  private outcome: Outcome | undefined;

  constructor(private readonly profile: ServerProfile) {}

  handle(): Outcome {
    this.outcome ??= this.describe();
    return this.outcome;
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

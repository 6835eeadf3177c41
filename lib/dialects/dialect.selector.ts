import { Injectable } from '@nestjs/common';

import type { Incoming } from './dialect.js';
import { Dialect } from './dialect.js';

/**
 * Decides which revision a message belongs to; the only place that does. With one dialect there is nothing to choose:
 * whatever is not of its era is answered by it, in words that name what this server speaks.
 */
@Injectable()
export class DialectSelector {
  constructor(private readonly current: Dialect) {}

  select(_incoming: Pick<Incoming, 'head'>): Dialect {
    return this.current;
  }
}

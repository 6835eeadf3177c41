import { Injectable, type Type } from '@nestjs/common';

import type { ClientCodec } from './client-codec.js';
import { Dialect, type Incoming } from './dialect.js';
import { ClientCodec20260728 } from './v2026-07-28/client-codec.js';
import { Dialect20260728 } from './v2026-07-28/dialect.js';
import { REVISION } from './v2026-07-28/envelope.js';

/** Supported revisions of the protocol, newest first. */
export const SPOKEN_REVISIONS: readonly string[] = [REVISION];

/** The dialect that every server of this process uses. */
export const CurrentDialect: Type<Dialect> = Dialect20260728;

/** The client's half of the same revision. */
export const CurrentClientCodec: Type<ClientCodec> = ClientCodec20260728;

/**
 * Decides which revision a message belongs to; no other code does. With one dialect there is no choice: it answers
 * messages of other revisions as well, with an error that lists the supported revisions.
 */
@Injectable()
export class DialectSelector {
  constructor(private readonly current: Dialect) {}

  select(_incoming: Pick<Incoming, 'head'>): Dialect {
    return this.current;
  }
}

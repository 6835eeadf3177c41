import type { ServerResponse } from 'node:http';

import { Logger } from '@nestjs/common';

import { logWithReference } from '../../errors/failure.log.js';
import type { ExchangeHandler } from '../../exchange/exchange.handler.js';
import type { Prepared } from '../../exchange/prepared.js';
import type { Exchange } from '../../wire/exchange.js';
import { INTERNAL_ERROR } from '../../wire/json-rpc.js';
import { encodeError } from '../../wire/json-rpc.encoder.js';
import { endPipeline, isWaiting } from '../node-http/pipeline.js';
import type { RequestNotes } from '../node-http/http-request.js';

/** Admits exchanges that came over HTTP; whatever happens, there is something to answer. */
export class HttpAdmission {
  constructor(
    private readonly exchanges: ExchangeHandler,
    private readonly logger: Logger,
  ) {}

  /** Hands on what became of the exchange, at once where nothing has to be waited for. */
  admit<T>(exchange: Exchange, enter: (prepared: Prepared) => T): Promise<T> | T {
    const prepared = this.prepare(exchange);
    if (!(prepared instanceof Promise)) return enter(prepared);
    return prepared.then(enter, (error: unknown) => enter(this.fail(error)));
  }

  private prepare(exchange: Exchange): Promise<Prepared> | Prepared {
    try {
      return this.exchanges.prepare(exchange);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Only a fault of this library gets here. */
  private fail(error: unknown): Prepared {
    const reference = logWithReference(this.logger, 'A request could not be admitted', error);
    const body = encodeError(undefined, { code: INTERNAL_ERROR, message: 'Internal error', data: { reference } });
    return { kind: 'refused', refusal: { status: 500, body, closeConnection: true } };
  }
}

/** With the body read, the answer no longer has to end the connection. */
export function keepConnection(response: ServerResponse, { keepsAlive }: RequestNotes, prepared: Prepared): void {
  const unread = prepared.kind === 'refused' && prepared.refusal.closeConnection === true;
  if (keepsAlive === true && !unread) response.shouldKeepAlive = true;
  // Nobody reads the rest of this body, and so nobody would see the client leave while the answer waits.
  if (unread && isWaiting(response)) endPipeline(response.req);
}

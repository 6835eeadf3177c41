import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';

import type { Refusal } from '../../wire/exchange.js';
import { notesOf } from '../node-http/http-request.js';
import type { HttpPlatform } from '../node-http/http-platform.js';
import type { AppFilters } from './app.filters.js';
import type { RouteWatch } from './route.watch.js';

/** Transports a refusal from the admission guard to the filter below. */
export class RefusedExchange extends Error {
  constructor(readonly refusal: Refusal) {
    super('The request was refused before its handler ran.');
  }
}

/**
 * Bound to the endpoint itself, so that no other filter can turn JSON-RPC errors into an envelope of its own, or end an
 * answer that is being written. What guards of the app throw is theirs, and goes to the other filters.
 */
@Catch()
export class RouteFilter implements ExceptionFilter {
  constructor(
    private readonly platform: () => HttpPlatform,
    private readonly watch: RouteWatch,
    private readonly others: AppFilters,
  ) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    const http = host.switchToHttp();
    if (error instanceof RefusedExchange) {
      this.watch.refuse(http.getResponse(), error.refusal);
      return undefined;
    }
    const notes = notesOf(this.platform().rawRequest(http.getRequest()));
    if (notes !== undefined && this.watch.caught(error, notes)) return undefined;
    // oxlint-disable-next-line promise/valid-params -- a filter, not a promise
    return this.others.catch(error, host);
  }
}

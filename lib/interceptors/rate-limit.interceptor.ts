import { Injectable, Optional, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

import { callerKey } from '../dispatch/caller-identity.js';
import { McpExecutionContext } from '../dispatch/mcp-execution-context.js';
import { limitedCallOf, nameParts, type LimitedCall, requireWhole } from './called-component.js';
import { InMemoryRateLimitStore } from './in-memory-rate-limit.store.js';
import { RateLimitOptions } from './rate-limit-options.js';
import { RateLimitStore } from './rate-limit.store.js';
import { secondsOf, tooManyCalls } from './too-many-calls.error.js';

/**
 * Limits how many calls of a component each caller may make within a time window; each component and each server is
 * counted separately. Calls that are not MCP pass, so it can be bound globally.
 *
 * @example
 * ```ts
 * @UseInterceptors(new RateLimitInterceptor({ limit: 10, windowMs: 60_000 }))
 * ```
 * @publicApi
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  private readonly limit: number;
  private readonly windowMs: number;
  private readonly by: RateLimitOptions['by'];
  private readonly store: RateLimitStore;

  constructor(@Optional() options?: RateLimitOptions, @Optional() store?: RateLimitStore) {
    const { limit = 60, windowMs = 60_000, by } = options ?? {};
    this.limit = requireWhole(limit, 'limit', 1);
    this.windowMs = requireWhole(windowMs, 'windowMs', 1);
    this.by = by;
    this.store = store ?? new InMemoryRateLimitStore();
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const call = limitedCallOf(context);
    if (call === undefined) return next.handle();
    const admit = (waitMs: number): Observable<unknown> => {
      if (waitMs > 0) throw refuse(context, call, waitMs);
      return next.handle();
    };
    const wait = this.store.take(this.keyOf(context, call), this.limit, this.windowMs);
    return typeof wait === 'number' ? admit(wait) : wait.then(admit);
  }

  /** The key contains the window, since a component may have limits for short and for long windows. */
  private keyOf(context: ExecutionContext, call: LimitedCall): string {
    const who = this.by?.(McpExecutionContext.create(context)) ?? callerKey(call.request.caller);
    return JSON.stringify([call.server, ...nameParts(call), this.windowMs, who]);
  }
}

type Setter = (name: string, value: string) => unknown;

function refuse(context: ExecutionContext, call: LimitedCall, waitMs: number): Error {
  const retryAfterMs = Math.ceil(waitMs);
  const response = context.switchToHttp().getResponse<{ setHeader?: Setter; header?: Setter } | undefined>();
  const value = String(secondsOf(retryAfterMs));
  try {
    // Replies of Fastify have only the second method.
    if (response?.setHeader !== undefined) response.setHeader('Retry-After', value);
    else response?.header?.('Retry-After', value);
  } catch {
    // A stream that has begun cannot get headers; the message has the same content.
  }
  return tooManyCalls(call, 'Too many calls.', retryAfterMs);
}

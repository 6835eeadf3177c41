import { Injectable, Optional, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';

import { callerKey } from '../dispatch/caller-identity.js';
import { McpExecutionContext } from '../dispatch/mcp-execution-context.js';
import { Executor } from '../execution/executor.js';
import type { JobTicket } from '../execution/job.js';
import { limitedCallOf, type LimitedCall, requireWhole } from './called-component.js';
import { tooManyCalls } from './too-many-calls.error.js';

/** It is unknown when a place becomes free; the server sends the same value when it is busy. */
const RETRY_AFTER_MS = 1_000;

/**
 * Limits of a {@link ConcurrencyInterceptor}. The class is also the token under which an app provides them for
 * interceptors that it binds by class.
 *
 * @publicApi
 */
export abstract class ConcurrencyOptions {
  /**
   * Maximum number of concurrent calls of one component.
   *
   * @default 1
   */
  readonly maxConcurrency?: number;
  /**
   * Maximum number of queued calls of one component; with 0, calls are not queued.
   *
   * @default 16
   */
  readonly maxQueue?: number;
}

/**
 * Limits the running and queued calls of a component, and takes queued calls from each caller in turn. Each component
 * and each server is counted separately. A call keeps its place until its method has settled, so that the resource
 * behind it never gets more calls than allowed. Calls that are not MCP pass, so it can be bound globally.
 *
 * @example
 * ```ts
 * @UseInterceptors(new ConcurrencyInterceptor({ maxConcurrency: 2 }))
 * ```
 * @publicApi
 */
@Injectable()
export class ConcurrencyInterceptor implements NestInterceptor {
  /** Weak, since components can be removed at run time; a component belongs to one server. */
  private readonly executors = new WeakMap<object, Executor>();
  private readonly maxConcurrency: number;
  private readonly maxQueue: number;

  constructor(@Optional() options?: ConcurrencyOptions) {
    const { maxConcurrency = 1, maxQueue = 16 } = options ?? {};
    this.maxConcurrency = requireWhole(maxConcurrency, 'maxConcurrency', 1);
    this.maxQueue = requireWhole(maxQueue, 'maxQueue', 0);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const call = limitedCallOf(context);
    if (call === undefined) return next.handle();
    // Read now, so that the handler keeps the asynchronous context of its own call when another call frees the place.
    const run = next.handle();
    return new Observable((subscriber) => {
      const entry = new Entry(call, run, subscriber);
      const ticket = this.executorOf(call.component).submit({
        lane: 'work',
        owner: callerKey(call.request.caller),
        timeoutMs: Infinity,
        start: (place) => entry.begin(place),
        stop: () => entry.giveUp(),
      });
      if (typeof ticket === 'string') {
        subscriber.error(tooManyCalls(call, 'Too many calls are running.', RETRY_AFTER_MS));
        return undefined;
      }
      if (entry.begun) return entry.leave;
      return entry.wait(ticket, McpExecutionContext.create(context).getContext().signal);
    });
  }

  private executorOf(component: object): Executor {
    let executor = this.executors.get(component);
    if (executor === undefined) {
      const { maxConcurrency, maxQueue } = this;
      // One caller may fill it: the shares of callers were applied before, for the whole server.
      executor = new Executor({ maxConcurrency, maxQueue, maxPerOwner: maxConcurrency, maxQueuedPerOwner: maxQueue });
      this.executors.set(component, executor);
    }
    return executor;
  }
}

/** One call that asks for a place. */
class Entry {
  begun = false;
  private isOver = false;
  private signal: AbortSignal | undefined;
  private ticket: JobTicket | undefined;

  constructor(
    private readonly call: LimitedCall,
    private readonly run: Observable<unknown>,
    private readonly subscriber: Subscriber<unknown>,
  ) {}

  /** Nothing unsubscribes from a running method: it may outlive its call, and keeps its place until it settles. */
  begin(place: JobTicket): void {
    this.begun = true;
    this.signal?.removeEventListener('abort', this.leave);
    const { subscriber } = this;
    this.run.subscribe({
      next: (value) => subscriber.next(value),
      error: (error: unknown) => {
        this.isOver = true;
        place.finish();
        subscriber.error(error);
      },
      complete: () => {
        this.isOver = true;
        place.finish();
        subscriber.complete();
      },
    });
  }

  /** A call that ends while it is queued frees its place in the queue; returns a function that ends the wait. */
  wait(ticket: JobTicket, signal: AbortSignal): () => void {
    this.ticket = ticket;
    this.signal = signal;
    signal.addEventListener('abort', this.leave, { once: true });
    if (signal.aborted) this.leave();
    return this.leave;
  }

  giveUp(): void {
    this.signal?.removeEventListener('abort', this.leave);
    this.subscriber.error(this.signal?.reason);
  }

  /** An outer interceptor unsubscribed: the signal tells the method. */
  readonly leave = (): void => {
    if (!this.begun) this.ticket?.cancel('owner-gone');
    else if (!this.isOver) this.call.abandon();
  };
}

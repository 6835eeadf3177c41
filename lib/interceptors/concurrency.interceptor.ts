import { Injectable, Optional, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';

import { callerKey } from '../dispatch/caller-identity.js';
import { McpExecutionContext } from '../dispatch/mcp-execution-context.js';
import { Executor } from '../execution/executor.js';
import type { JobTicket } from '../execution/job.js';
import { limitedCallOf, type LimitedCall, requireWhole } from './called-component.js';
import { tooManyCalls } from './too-many-calls.error.js';

/** How soon it is worth trying again is not known; the server says the same when it is busy. */
const RETRY_AFTER_MS = 1_000;

/**
 * How many calls a {@link ConcurrencyInterceptor} lets run. The class is also the token under which an app provides them
 * for interceptors that it binds by class.
 *
 * @publicApi
 */
export abstract class ConcurrencyOptions {
  /**
   * Calls of one component that run at the same time.
   *
   * @default 1
   */
  readonly maxConcurrency?: number;
  /**
   * Calls of one component that wait; with 0 none does.
   *
   * @default 16
   */
  readonly maxQueue?: number;
}

/**
 * Lets so many calls of a component run at the same time and so many wait, taking turns by caller; each component and each
 * server counts for itself. A call keeps its place until its method has settled, so what is behind it never sees more.
 * Calls that are not MCP pass, so it can be bound globally.
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
    // Asked for now, so that the handler keeps the async context of its own call when another one makes room.
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
      // One caller may fill it: who may hold how much of the server is settled before.
      executor = new Executor({ maxConcurrency, maxQueue, maxPerOwner: maxConcurrency, maxQueuedPerOwner: maxQueue });
      this.executors.set(component, executor);
    }
    return executor;
  }
}

/** One call on its way in. */
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

  /** Nobody unsubscribes from what runs: an end of the call does not end its method, which keeps its place until then. */
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

  /** A call that ends while it waits frees its place in the queue; returns what ends the wait. */
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

  /** An interceptor further out waits no longer: the method hears of it by its signal. */
  readonly leave = (): void => {
    if (!this.begun) this.ticket?.cancel('owner-gone');
    else if (!this.isOver) this.call.abandon();
  };
}

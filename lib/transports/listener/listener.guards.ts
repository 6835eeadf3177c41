import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';

import { logFailure } from '../../errors/failure.log.js';
import { warn } from '../../errors/log-line.js';
import { settleVerdict, type ReportError } from '../../errors/quiet.subscriber.js';
import { LazyEnhancer, type Bound } from '../../enhancers/lazy.enhancer.js';
import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import type { Refusal } from '../../wire/exchange.js';
import { WaitSweeper, type Wait } from '../node-http/reply-room.js';
import { refuseThrown, refuseUnexplained } from './guard.refusal.js';

/** Time limit of guards, and the refusal after it. */
export interface GuardDeadline {
  readonly requestTimeoutMs: number;
  overdue(): Refusal;
}

interface PendingVerdict extends Wait {
  readonly response: ServerResponse;
  readonly settle: (refusal: Refusal) => void;
}

/** Runs the guards of the listener, before a byte of a body is read. */
export class ListenerGuards {
  private readonly logger = new Logger('McpListener');
  private readonly guards: readonly LazyEnhancer<CanActivate>[];
  private readonly sweeper: WaitSweeper<PendingVerdict>;
  private hasWarned = false;

  constructor(
    guards: readonly Bound<CanActivate>[],
    moduleRef: ModuleRef,
    private readonly deadline: GuardDeadline,
  ) {
    this.sweeper = new WaitSweeper(deadline.requestTimeoutMs, {
      isOver: ({ response }) => response.headersSent || response.destroyed,
      expire: ({ settle }) => settle(this.refuseOverdue()),
    });
    const refuse = (reason: string): Error => new InvalidOptionsError('listener.guards', reason);
    this.guards = guards.map((guard) => new LazyEnhancer(guard, moduleRef, refuse));
  }

  private readonly reportError: ReportError = (error) =>
    logFailure(this.logger, 'A guard of the listener failed at its end', error);

  async resolve(): Promise<void> {
    for (const guard of this.guards) await guard.resolve();
  }

  /** Runs the guards in order, as Nest does, up to the first refusal. Synchronous if all guards are. */
  judge(request: IncomingMessage, response: ServerResponse): Refusal | undefined | Promise<Refusal | undefined> {
    const context = ListenerContext.create(request, response);
    try {
      for (let index = 0; index < this.guards.length; index += 1) {
        const verdict = ask(this.guards[index], request, context);
        if (typeof verdict !== 'boolean') {
          return this.inTime(this.wait(verdict, this.guards.slice(index + 1), request, context), response);
        }
        if (!verdict) return refuseUnexplained();
      }
      return undefined;
    } catch (error) {
      return refuseThrown(error, this.logger);
    }
  }

  private inTime(pending: Promise<Refusal | undefined>, response: ServerResponse): Promise<Refusal | undefined> {
    return new Promise((resolve) => {
      const wait: PendingVerdict = { since: 0, response, settle: resolve };
      this.sweeper.add(wait);
      void pending.then(resolve).finally(() => this.sweeper.delete(wait));
    });
  }

  private refuseOverdue(): Refusal {
    if (!this.hasWarned) {
      this.hasWarned = true;
      warn(
        this.logger,
        `A guard of the listener has not decided within ${this.deadline.requestTimeoutMs} ms (limits.requestTimeoutMs), so its request was answered with 504. Set a timeout for the operation that it waits for.`,
      );
    }
    return this.deadline.overdue();
  }

  private async wait(
    pending: unknown,
    others: readonly LazyEnhancer<CanActivate>[],
    request: IncomingMessage,
    context: ExecutionContext,
  ): Promise<Refusal | undefined> {
    try {
      if (!(await settleVerdict(pending, this.reportError))) return refuseUnexplained();
      for (const guard of others) {
        if (!(await settleVerdict(ask(guard, request, context), this.reportError))) return refuseUnexplained();
      }
      return undefined;
    } catch (error) {
      return refuseThrown(error, this.logger);
    }
  }
}

function ask(lazy: LazyEnhancer<CanActivate>, request: IncomingMessage, context: ExecutionContext): unknown {
  const guard = lazy.of(request);
  return guard instanceof Promise ? guard.then((made) => made.canActivate(context)) : guard.canActivate(context);
}

/** Replaces the controller, so that guards that read metadata find none. */
class McpListener {
  handle(): void {}
}

const handler: unknown = Object.getOwnPropertyDescriptor(McpListener.prototype, 'handle')?.value;

/** The `ExecutionContext` of a request to the listener, with Node's request and response. */
class ListenerContext {
  private constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  static create(request: IncomingMessage, response: ServerResponse): ExecutionContext {
    return new ListenerContext(request, response) as unknown as ExecutionContext;
  }

  getType(): string {
    return 'http';
  }

  getClass(): unknown {
    return McpListener;
  }

  getHandler(): unknown {
    return handler;
  }

  getArgs(): readonly unknown[] {
    return [this.request, this.response];
  }

  getArgByIndex(index: number): unknown {
    return this.getArgs()[index];
  }

  switchToHttp(): Readonly<Record<string, () => unknown>> {
    return { getRequest: () => this.request, getResponse: () => this.response, getNext: () => undefined };
  }

  switchToRpc(): Readonly<Record<string, () => unknown>> {
    return { getData: () => this.request, getContext: () => this.response };
  }

  switchToWs(): Readonly<Record<string, () => unknown>> {
    return { getClient: () => this.request, getData: () => this.response, getPattern: () => '' };
  }
}

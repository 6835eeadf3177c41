import type { IncomingMessage, ServerResponse } from 'node:http';

import { Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';

import { LazyEnhancer, type Bound } from '../../enhancers/lazy.enhancer.js';
import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import type { Refusal } from '../../wire/exchange.js';
import { refuseThrown, refuseUnexplained } from './guard.refusal.js';
import { ListenerContext } from './listener.context.js';

/** Decide who comes in at all, before a byte of a body is read. */
export class ListenerGuards {
  private readonly logger = new Logger('McpListener');
  private readonly guards: readonly LazyEnhancer<CanActivate>[];

  constructor(guards: readonly Bound<CanActivate>[], moduleRef: ModuleRef) {
    const refuse = (reason: string): Error => new InvalidOptionsError('listener.guards', reason);
    this.guards = guards.map((guard) => new LazyEnhancer(guard, moduleRef, refuse));
  }

  async resolve(): Promise<void> {
    for (const guard of this.guards) await guard.resolve();
  }

  /** One after the other, as Nest runs them; the first that refuses is the last that is asked. At once where all of them know. */
  judge(request: IncomingMessage, response: ServerResponse): Refusal | undefined | Promise<Refusal | undefined> {
    const context = ListenerContext.create(request, response);
    try {
      for (let index = 0; index < this.guards.length; index += 1) {
        const verdict = ask(this.guards[index], request, context);
        if (typeof verdict !== 'boolean') return this.wait(verdict, this.guards.slice(index + 1), request, context);
        if (!verdict) return refuseUnexplained();
      }
      return undefined;
    } catch (error) {
      return refuseThrown(error, this.logger);
    }
  }

  private async wait(
    pending: unknown,
    others: readonly LazyEnhancer<CanActivate>[],
    request: IncomingMessage,
    context: ExecutionContext,
  ): Promise<Refusal | undefined> {
    try {
      if (!(await settle(pending))) return refuseUnexplained();
      for (const guard of others) {
        if (!(await settle(ask(guard, request, context)))) return refuseUnexplained();
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

async function settle(pending: unknown): Promise<unknown> {
  const verdict: unknown = await pending;
  return isObservable(verdict) ? lastValueFrom(verdict) : verdict;
}

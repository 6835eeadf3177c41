import type { IncomingMessage, ServerResponse } from 'node:http';

import { Logger, type CanActivate } from '@nestjs/common';
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

  get isEmpty(): boolean {
    return this.guards.length === 0;
  }

  async resolve(): Promise<void> {
    for (const guard of this.guards) await guard.resolve();
  }

  /** One after the other, as Nest runs them; the first that refuses is the last that is asked. */
  async judge(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const context = ListenerContext.create(request, response);
    try {
      for (const lazy of this.guards) {
        const guard = await lazy.of(request);
        const verdict: unknown = await guard.canActivate(context);
        const passes = isObservable(verdict) ? await lastValueFrom(verdict) : verdict;
        if (!passes) return refuseUnexplained();
      }
      return undefined;
    } catch (error) {
      return refuseThrown(error, this.logger);
    }
  }
}

import {
  Catch,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';

import { LazyEnhancer, type Bound } from '../../enhancers/lazy.enhancer.js';
import { InvalidOptionsError } from '../../errors/invalid-options.error.js';

/** Guards, interceptors and filters of one endpoint, as instances for Nest. */
export class EndpointEnhancers {
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  readonly filters: readonly ExceptionFilter[];
  private readonly all: LazyEnhancer<object>[] = [];

  constructor(
    options: {
      readonly guards: readonly Bound<CanActivate>[];
      readonly interceptors: readonly Bound<NestInterceptor>[];
      readonly filters: readonly Bound<ExceptionFilter>[];
    },
    private readonly moduleRef: ModuleRef,
  ) {
    this.guards = options.guards.map((guard) => this.guard(this.lazy(guard, 'http.guards')));
    this.interceptors = options.interceptors.map((item) => this.interceptor(this.lazy(item, 'http.interceptors')));
    this.filters = options.filters.map((filter) => this.filter(filter, this.lazy(filter, 'http.filters')));
  }

  async resolve(): Promise<void> {
    for (const enhancer of this.all) await enhancer.resolve();
  }

  private lazy<T extends object>(bound: Bound<T>, option: string): LazyEnhancer<T> {
    const enhancer = new LazyEnhancer(bound, this.moduleRef, (reason) => new InvalidOptionsError(option, reason));
    this.all.push(enhancer);
    return enhancer;
  }

  private guard(lazy: LazyEnhancer<CanActivate>): CanActivate {
    return {
      canActivate: (context: ExecutionContext) => {
        const guard = lazy.of(requestOf(context));
        if (!(guard instanceof Promise)) return guard.canActivate(context);
        return guard.then((scoped) => scoped.canActivate(context) as boolean);
      },
    };
  }

  private interceptor(lazy: LazyEnhancer<NestInterceptor>): NestInterceptor {
    return {
      intercept: async (context: ExecutionContext, next: CallHandler) =>
        (await lazy.of(requestOf(context))).intercept(context, next),
    };
  }

  /** Nest reads from the class which errors a filter catches, so the wrapper declares the same. */
  private filter(bound: Bound<ExceptionFilter>, lazy: LazyEnhancer<ExceptionFilter>): ExceptionFilter {
    const type = typeof bound === 'function' ? bound : bound.constructor;
    const caught = (Reflect.getMetadata('__filterCatchExceptions__', type) ?? []) as Type<unknown>[];
    @Catch(...caught)
    class EndpointFilter implements ExceptionFilter {
      async catch(error: unknown, host: ArgumentsHost): Promise<unknown> {
        const filter = await lazy.of(host.switchToHttp().getRequest());
        // oxlint-disable-next-line promise/valid-params -- a filter, not a promise
        return filter.catch(error, host);
      }
    }
    return new EndpointFilter();
  }
}

const requestOf = (context: ExecutionContext): unknown => context.switchToHttp().getRequest();

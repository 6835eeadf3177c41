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
import { ContextIdFactory, type ModuleRef } from '@nestjs/core';

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';

type Bound<T> = Type<T> | T;

/** An enhancer from the module options, found by DI wherever the app provides it. */
class LazyEnhancer<T extends object> {
  private instance: T | undefined;
  private scoped: Type<T> | undefined;

  constructor(
    private readonly bound: Bound<T>,
    private readonly moduleRef: ModuleRef,
    private readonly option: string,
  ) {}

  /** @throws InvalidOptionsError when DI cannot make it. */
  async resolve(): Promise<void> {
    const { bound } = this;
    if (typeof bound !== 'function') {
      this.instance = bound;
      return;
    }
    const known = this.find(bound);
    if (known === 'scoped') this.scoped = bound;
    else this.instance = known ?? (await this.create(bound));
  }

  of(request: unknown): T | Promise<T> {
    if (this.instance !== undefined) return this.instance;
    if (this.scoped === undefined)
      throw new InvalidOptionsError(this.option, 'it was used before the app was initialised.');
    const contextId = ContextIdFactory.getByRequest(request as Record<string, unknown>);
    this.moduleRef.registerRequestByContextId(request, contextId);
    return this.moduleRef.resolve(this.scoped, contextId, { strict: false });
  }

  private find(type: Type<T>): T | 'scoped' | undefined {
    try {
      return this.moduleRef.get(type, { strict: false });
    } catch (error) {
      // Nest tells a request-scoped provider by the name of its error.
      return (error as Error).name === 'InvalidClassScopeException' ||
        /marked as a scoped provider/.test((error as Error).message)
        ? 'scoped'
        : undefined;
    }
  }

  private async create(type: Type<T>): Promise<T> {
    try {
      return await this.moduleRef.create(type);
    } catch (error) {
      throw new InvalidOptionsError(
        this.option,
        `${type.name} cannot be made: ${(error as Error).message} Provide it in a module of the app.`,
      );
    }
  }
}

/** Guards, interceptors and filters of one endpoint, in the form in which Nest takes instances. */
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
    const enhancer = new LazyEnhancer(bound, this.moduleRef, option);
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

  /** Nest reads from the class what a filter catches, so the stand-in says the same. */
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

import type { ArgumentsHost, ExceptionFilter, Type } from '@nestjs/common';
import {
  BaseExceptionFilter,
  ContextIdFactory,
  type AbstractHttpAdapter,
  type ApplicationConfig,
  type ContextId,
} from '@nestjs/core';

type ScopedFilter = ReturnType<ApplicationConfig['getGlobalRequestFilters']>[number];

/** What Nest does with an error of a route: asks the filters of the route, then those of the app, then answers itself. */
export class AppFilters {
  constructor(
    private readonly bound: readonly ExceptionFilter[],
    private readonly config: ApplicationConfig,
    private readonly adapter: () => AbstractHttpAdapter,
  ) {}

  /** Returns what the filter returns, since Nest reads that. */
  catch(error: unknown, host: ArgumentsHost): unknown {
    const filter = this.inTurn(host).find((candidate) => isFor(candidate, error));
    // oxlint-disable-next-line promise/valid-params -- a filter, not a promise
    return (filter ?? new BaseExceptionFilter(this.adapter())).catch(error, host);
  }

  private inTurn(host: ArgumentsHost): ExceptionFilter[] {
    return [...this.config.getGlobalFilters(), ...this.scoped(host), ...this.bound].reverse();
  }

  private scoped(host: ArgumentsHost): ExceptionFilter[] {
    const wrappers = this.config.getGlobalRequestFilters();
    if (wrappers.length === 0) return [];
    const contextId = ContextIdFactory.getByRequest(host.switchToHttp().getRequest<Record<string, unknown>>());
    return wrappers.flatMap((wrapper) => instanceOf(wrapper, contextId));
  }
}

/** Nothing where Nest has made no instance for the request. */
function instanceOf(wrapper: ScopedFilter, contextId: ContextId): ExceptionFilter[] {
  const { token } = wrapper;
  const own = contextId.getParent?.({ token, isTreeDurable: wrapper.isDependencyTreeDurable() }) ?? contextId;
  const { instance, isConstructorCalled } = wrapper.getInstanceByContextId(own);
  return isConstructorCalled === true ? [instance] : [];
}

function isFor(filter: ExceptionFilter, error: unknown): boolean {
  const prototype = Object.getPrototypeOf(filter) as object;
  const types = (Reflect.getMetadata(CAUGHT, prototype) ??
    Reflect.getMetadata(CAUGHT, prototype.constructor) ??
    []) as readonly Type<unknown>[];
  return types.length === 0 || types.some((type) => error instanceof type);
}

const CAUGHT = '__filterCatchExceptions__';

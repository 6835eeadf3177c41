import type { ArgumentsHost, ExceptionFilter, Type } from '@nestjs/common';
import {
  BaseExceptionFilter,
  ContextIdFactory,
  ExternalContextCreator,
  HttpAdapterHost,
  type ContextId,
  type ModuleRef,
} from '@nestjs/core';

import type { ControllerWrapper } from './endpoint-route.js';

/** The part of Nest's `ExternalContextCreator` that finds the filters of the app, including request-scoped ones. */
interface GlobalFilters {
  readonly filtersContextCreator: {
    getGlobalMetadata(contextId: ContextId | undefined, inquirerId: string | undefined): readonly ExceptionFilter[];
  };
}

/** Handles an error of a route as Nest does: by the filters of the route, then those of the app, then the built-in one. */
export class AppFilters {
  constructor(
    private readonly bound: readonly ExceptionFilter[],
    private readonly moduleRef: ModuleRef,
    private readonly controller: () => ControllerWrapper | undefined,
  ) {}

  /** Returns the result of the filter, which Nest uses. */
  catch(error: unknown, host: ArgumentsHost): unknown {
    const filter = this.inTurn(host).find((candidate) => isFor(candidate, error));
    // oxlint-disable-next-line promise/valid-params -- a filter, not a promise
    return (filter ?? this.builtIn()).catch(error, host);
  }

  private inTurn(host: ArgumentsHost): ExceptionFilter[] {
    const creator = this.moduleRef.get<unknown, GlobalFilters>(ExternalContextCreator, { strict: false });
    const controller = this.controller();
    const request = host.switchToHttp().getRequest<Record<string, unknown>>();
    const contextId =
      controller === undefined || controller.isDependencyTreeStatic()
        ? undefined
        : ContextIdFactory.getByRequest(request);
    const ofApp = creator.filtersContextCreator.getGlobalMetadata(contextId, controller?.id);
    return [...ofApp, ...this.bound].reverse();
  }

  private builtIn(): ExceptionFilter {
    return new BaseExceptionFilter(this.moduleRef.get(HttpAdapterHost, { strict: false }).httpAdapter);
  }
}

const CAUGHT = '__filterCatchExceptions__';

function isFor(filter: ExceptionFilter, error: unknown): boolean {
  const prototype = Object.getPrototypeOf(filter) as object;
  const types = (Reflect.getMetadata(CAUGHT, prototype) ??
    Reflect.getMetadata(CAUGHT, prototype.constructor) ??
    []) as readonly Type<unknown>[];
  return types.length === 0 || types.some((type) => error instanceof type);
}

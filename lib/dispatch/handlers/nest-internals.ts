import type { CanActivate, NestInterceptor, ExecutionContext } from '@nestjs/common';
import type { ExternalContextCreator, ContextId } from '@nestjs/core';

import { McpError } from '../../errors/mcp.error.js';
import type { Method } from '../../registry/registered-component.js';

/** Calls a guarded handler with Nest's three call arguments: request, response, call. */
export type NestInvocation = (request: unknown, response: unknown, call: unknown) => Promise<unknown>;

/** Runs the steps between interceptors and result. */
export type Continuation = () => Promise<unknown>;

/** Exception filters of one handler. */
export interface FilterHandler {
  invokeCustomFilters(error: unknown, host: NestArgumentsHost): unknown;
  next(error: unknown, host: NestArgumentsHost): unknown;
}

export interface NestArgumentsHost {
  getArgByIndex(index: number): unknown;
}

/**
 * The members of Nest's `ExternalContextCreator` that this library replaces on a copy.
 * They are the same in Nest 11.2.10 and later and in Nest 12.4 and later.
 */
export interface ContextCreatorInternals {
  getHostModuleKey: (instance: unknown, classRef: unknown, inquirerId?: string) => string;
  getContextModuleKey: (classRef: unknown) => string;
  getParamValue: (value: unknown, metadata: unknown, pipes: readonly unknown[]) => Promise<unknown>;
  contextUtils: {
    reflectCallbackMetadata: (instance: unknown, method: string, key: string) => unknown;
    reflectCallbackParamtypes: (instance: unknown, method: string) => unknown;
  };
  transformToResult: (result: unknown) => unknown;
  guardsContextCreator: { create: (...place: unknown[]) => readonly CanActivate[] };
  interceptorsContextCreator: { create: (...place: unknown[]) => readonly NestInterceptor[] };
  pipesContextCreator: { create: (...place: unknown[]) => readonly unknown[] };
  handlerMetadataStorage: { get: () => undefined; set: () => void };
  interceptorsConsumer: {
    intercept: (
      interceptors: readonly unknown[],
      args: readonly unknown[],
      instance: unknown,
      callback: unknown,
      next: Continuation,
      type: string,
    ) => unknown;
  };
  filtersContextCreator: { create: (...place: unknown[]) => FilterHandler };
}

const REPLACED = [
  'getHostModuleKey',
  'getContextModuleKey',
  'getParamValue',
  'transformToResult',
  'guardsContextCreator',
  'interceptorsContextCreator',
  'pipesContextCreator',
  'contextUtils',
  'handlerMetadataStorage',
  'interceptorsConsumer',
  'filtersContextCreator',
] as const;

/**
 * Copies Nest's creator, so that its internals can be replaced without changing those of the app.
 *
 * @throws McpError when this release of Nest has other internals, since guards could then be skipped silently.
 */
export function openContextCreator(creator: ExternalContextCreator): ContextCreatorInternals {
  const missing = REPLACED.filter((member) => !(member in creator));
  if (missing.length > 0) {
    throw new McpError(
      'MCP_NEST_INTERNALS',
      `This release of @nestjs/core lacks ${missing.join(', ')}, so guards could be skipped. Install a release that nestjs-mcp supports (^11.2.10 or ^12.4.0).`,
    );
  }
  return Object.create(creator) as ContextCreatorInternals;
}

/** The context of a guard while it is being created. */
export type OpenExecutionContext = ExecutionContext & { setType(type: string): void };

/** Nest's finder of guard instances, for one module at a time. */
export interface GuardFinder {
  moduleContext: string;
  createConcreteContext(
    bound: readonly unknown[],
    contextId: ContextId | undefined,
    inquirerId: string | undefined,
  ): readonly CanActivate[];
}

/** Nest's runner of guards. */
export interface GuardConsumer {
  createContext(args: readonly unknown[], instance: object, callback: Method): OpenExecutionContext;
}

/** @throws McpError when this release of Nest has other internals, since lists could then show guarded components. */
export function openGuards(creator: ExternalContextCreator): {
  readonly finder: GuardFinder;
  readonly consumer: GuardConsumer;
} {
  const { guardsContextCreator, guardsConsumer } = creator as unknown as {
    readonly guardsContextCreator?: Partial<GuardFinder>;
    readonly guardsConsumer?: Partial<GuardConsumer>;
  };
  if (
    typeof guardsContextCreator?.createConcreteContext !== 'function' ||
    typeof guardsConsumer?.createContext !== 'function'
  ) {
    throw new McpError('MCP_NEST_INTERNALS', 'This release of @nestjs/core cannot run the guards of what is listed.');
  }
  // A copy, since the finder stores the module that it searches.
  return { finder: Object.create(guardsContextCreator) as GuardFinder, consumer: guardsConsumer as GuardConsumer };
}

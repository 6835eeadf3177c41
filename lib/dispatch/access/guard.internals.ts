import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { ContextId, ExternalContextCreator } from '@nestjs/core';

import { McpError } from '../../errors/mcp.error.js';
import type { Method } from '../../registry/registered-component.js';

/** The context of a guard while it is made. */
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

/** @throws McpError when this release of Nest has other internals, since lists could then show what is guarded. */
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
  // A copy, since the finder keeps the module that it looks into.
  return { finder: Object.create(guardsContextCreator) as GuardFinder, consumer: guardsConsumer as GuardConsumer };
}

import { Body, createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';

import { CALL_INDEX, type CallArguments, type McpContext } from './mcp-context.js';

type Pipe = Type<PipeTransform> | PipeTransform;

const contextOf = (host: ExecutionContext): McpContext | undefined =>
  host.getType<string>() === 'mcp' ? host.getArgByIndex<CallArguments>(CALL_INDEX).context : undefined;

/**
 * Injects the validated arguments, or one of them by name; pipes apply as they do to `@Body()`.
 *
 * @publicApi
 */
export function Args(...pipes: Pipe[]): ParameterDecorator;
export function Args(name: string, ...pipes: Pipe[]): ParameterDecorator;
export function Args(first?: string | Pipe, ...pipes: Pipe[]): ParameterDecorator {
  // Stores the same metadata as `@Body()`, so that `ValidationPipe` treats it as a body and a method can also be a route.
  if (typeof first === 'string') return Body(first, ...pipes);
  return first === undefined ? Body(...pipes) : Body(first, ...pipes);
}

/**
 * Injects the {@link McpContext} of the call.
 *
 * @publicApi
 */
export const Ctx: () => ParameterDecorator = createParamDecorator((_data: unknown, host: ExecutionContext) =>
  contextOf(host),
);

/**
 * Injects the authentication that a trusted guard or middleware has stored on the request.
 *
 * @publicApi
 */
export const Auth: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, host: ExecutionContext) => contextOf(host)?.auth,
);

/**
 * Injects the signal that aborts when the call is cancelled.
 *
 * @publicApi
 */
export const Signal: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, host: ExecutionContext) => contextOf(host)?.signal,
);

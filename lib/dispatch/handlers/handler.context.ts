import type { ExternalContextCreator } from '@nestjs/core';

import { CALL_INDEX } from '../../model/call-arguments.js';
import type { ComponentHost } from '../../registry/registered-component.js';
import type { ComponentSchema } from '../../schema/component-schema.js';
import { checkArguments } from '../calls/argument.check.js';
import type { Call } from '../calls/call.js';
import { CallInterruption } from '../calls/call-interruption.js';
import { collectEmissions, isEmitting } from '../calls/emissions.js';
import {
  openContextCreator,
  type Continuation,
  type ContextCreatorInternals,
  type FilterHandler,
  type NestArgumentsHost,
} from './nest-internals.js';

const RESPONSE_INDEX = 1;

/**
 * Nest's external context, fitted to one handler: enhancers of the module that really holds the host, parameters by
 * type, the argument schema between interceptors and pipes, streams collected before interceptors see the result, and
 * filters whose silence does not swallow an error.
 */
export function fitContextCreator(
  creator: ExternalContextCreator,
  host: ComponentHost,
  schema: ComponentSchema | undefined,
): ExternalContextCreator {
  const own = openContextCreator(creator);
  // Nest looks among providers only, and then skips the guards of controllers without a word.
  own.getHostModuleKey = () => host.moduleKey;
  own.getContextModuleKey = () => host.moduleKey;
  // Nest 11 caches by method name alone and would reuse another library's parameters.
  own.handlerMetadataStorage = { get: () => undefined, set: () => undefined };
  own.contextUtils = fitParameters(own.contextUtils, host);
  own.interceptorsConsumer = fitInterceptors(own.interceptorsConsumer, schema);
  own.filtersContextCreator = fitFilters(own.filtersContextCreator);
  own.getParamValue = fitPipes(own.getParamValue.bind(own));
  return own as unknown as ExternalContextCreator;
}

function fitParameters(
  original: ContextCreatorInternals['contextUtils'],
  { parameters }: ComponentHost,
): ContextCreatorInternals['contextUtils'] {
  const own = Object.create(original) as ContextCreatorInternals['contextUtils'];
  own.reflectCallbackMetadata = () => parameters.records;
  own.reflectCallbackParamtypes = () => parameters.types;
  return own;
}

function fitInterceptors(
  original: ContextCreatorInternals['interceptorsConsumer'],
  schema: ComponentSchema | undefined,
): ContextCreatorInternals['interceptorsConsumer'] {
  const run = async (call: Call, next: Continuation): Promise<unknown> => {
    const pending = checkArguments(call, schema);
    if (pending !== undefined) await pending;
    const value = await next();
    return isEmitting(value) ? collectEmissions(value, call) : value;
  };
  return {
    intercept: (interceptors, args, instance, callback, ...[next, type]) =>
      original.intercept(interceptors, args, instance, callback, () => run(args[CALL_INDEX] as Call, next), type),
  };
}

function fitFilters(
  original: ContextCreatorInternals['filtersContextCreator'],
): ContextCreatorInternals['filtersContextCreator'] {
  return {
    create: (...place) => {
      const filters = original.create(...place);
      return { ...filters, next: (error, host) => runFilters(filters, error, host) };
    },
  };
}

/** Nest's own fallback would log every error with its stack, so a client could fill the log. */
async function runFilters(filters: FilterHandler, error: unknown, host: NestArgumentsHost): Promise<unknown> {
  if (CallInterruption.is(error)) throw error;
  const answer = await filters.invokeCustomFilters(error, host);
  // A catch-all filter that answers nothing, or the HTTP response, would otherwise turn errors into empty successes.
  if (answer === undefined || answer === null || answer === host.getArgByIndex(RESPONSE_INDEX)) throw error;
  return answer;
}

function fitPipes(original: ContextCreatorInternals['getParamValue']): ContextCreatorInternals['getParamValue'] {
  return (value, metadata, pipes) => (pipes.length === 0 ? Promise.resolve(value) : original(value, metadata, pipes));
}

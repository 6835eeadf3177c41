import { Logger, type CanActivate, type NestInterceptor } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';
import { from, isObservable, Observable } from 'rxjs';

import { CALL_INDEX } from '../../decorators/mcp-context.js';
import { logFailure } from '../../errors/failure.log.js';
import { lastValueOf, reportTeardownErrors, settleVerdict, type ReportError } from '../../errors/quiet.subscriber.js';
import type { ComponentHost, Method } from '../../registry/registered-component.js';
import { HeaderMismatchError, type MirrorCheck } from './parameter-headers.check.js';
import type { ComponentSchema } from '../../schema/component-schema.js';
import type { Call } from '../calls/call.js';
import { CallInterruption } from '../calls/call-interruption.js';
import { runDirectly, type DirectArguments } from './handler.arguments.js';
import { runHandler, type MethodRun } from './handler.run.js';
import { isTooLate } from '../calls/response.facade.js';
import {
  openContextCreator,
  type ContextCreatorInternals,
  type FilterHandler,
  type NestArgumentsHost,
} from './nest-internals.js';

const RESPONSE_INDEX = 1;

const logger = new Logger('McpHandler');

/** The steps of a call after its guards have allowed it. */
export interface Core {
  readonly schema: ComponentSchema | undefined;
  /** Absent if no argument is repeated as a header. */
  readonly mirrors: MirrorCheck | undefined;
  /** Absent if Nest has to fill a parameter. */
  readonly direct: DirectArguments | undefined;
}

/**
 * Adapts Nest's external context to one handler: it uses the enhancers of the module that contains the host, fills
 * parameters by type, validates arguments between interceptors and pipes, collects streams before interceptors see the
 * result, and rethrows an error if its filter returns nothing.
 */
export function fitContextCreator(
  creator: ExternalContextCreator,
  host: ComponentHost,
  core: Core,
  enhancers: FoundEnhancers,
): ExternalContextCreator {
  const own = openContextCreator(creator);
  const keyOfHost = (): string => host.moduleKey;
  // Nest searches providers only, and would silently skip the guards of controllers.
  own.getHostModuleKey = keyOfHost;
  own.getContextModuleKey = keyOfHost;
  // Nest 11 caches by method name only and would reuse another library's parameters.
  own.handlerMetadataStorage = { get: () => undefined, set: () => undefined };
  own.contextUtils = fitParameters(own.contextUtils, host);
  own.pipesContextCreator = enhancers.watch(own.pipesContextCreator, 'pipes');
  own.interceptorsContextCreator = quietInterceptors(enhancers.watch(own.interceptorsContextCreator, 'interceptors'));
  own.guardsContextCreator = fitGuards(enhancers.watch(own.guardsContextCreator, 'guards'));
  own.interceptorsConsumer = fitInterceptors(own.interceptorsConsumer, core, enhancers);
  own.transformToResult = fitResult((error) => logFailure(logger, `${host.owner} failed at its end`, error));
  own.filtersContextCreator = fitFilters(enhancers.watch(own.filtersContextCreator, 'filters', 'createContext'));
  return own as unknown as ExternalContextCreator;
}

/** Runs a handler without enhancers. */
export function runBare(call: Call, { schema, mirrors }: Core, run: MethodRun): unknown {
  enterAndCompareHeaders(call, mirrors);
  return runHandler(call, schema, run);
}

/**
 * Compares headers with arguments between guards and interceptors: after the guards, so that refused callers learn
 * nothing about the headers, and before an interceptor can start to stream, which would commit the status.
 */
function enterAndCompareHeaders(call: Call, mirrors: MirrorCheck | undefined): void {
  call.enter('entered');
  const mismatch = mirrors?.findMismatch(call.request);
  if (mismatch !== undefined) throw new HeaderMismatchError(mismatch);
}

function fitParameters(
  original: ContextCreatorInternals['contextUtils'],
  { parameters }: ComponentHost,
): ContextCreatorInternals['contextUtils'] {
  return Object.assign(Object.create(original) as ContextCreatorInternals['contextUtils'], {
    reflectCallbackMetadata: () => parameters.records,
    reflectCallbackParamtypes: () => parameters.types,
  });
}

/** Checks before each guard whether the call was cancelled, since an earlier guard may take long. */
function fitGuards(
  original: ContextCreatorInternals['guardsContextCreator'],
): ContextCreatorInternals['guardsContextCreator'] {
  const whileAwaited = (guard: CanActivate): CanActivate => ({
    canActivate(context) {
      const call = context.getArgByIndex<Call>(CALL_INDEX);
      call.enter('guarding');
      const verdict = guard.canActivate(context);
      if (typeof verdict === 'boolean') return verdict;
      return settleVerdict(verdict, (error) => call.reportError(error)) as Promise<boolean>;
    },
  });
  return Object.assign(Object.create(original) as typeof original, {
    create: (...place: unknown[]) => original.create(...place).map(whileAwaited),
  });
}

/** Runs the handler directly if there are no interceptors, which avoids RxJS and a promise. */
function fitInterceptors(
  original: ContextCreatorInternals['interceptorsConsumer'],
  { schema, mirrors, direct }: Core,
  enhancers: FoundEnhancers,
): ContextCreatorInternals['interceptorsConsumer'] {
  return {
    intercept: (interceptors, args, instance, callback, ...[next, type]) => {
      const call = args[CALL_INDEX] as Call;
      enterAndCompareHeaders(call, mirrors);
      const target = { instance: instance as object, method: callback as Method };
      const run = direct === undefined || enhancers.hasPipes ? next : (): unknown => runDirectly(direct, target, call);
      if (interceptors.length === 0) return runHandler(call, schema, run);
      const core = async (): Promise<unknown> => {
        call.begin();
        const result = runHandler(call, schema, run);
        return result instanceof Promise ? observe(result, call) : result;
      };
      return original.intercept(interceptors, args, instance, callback, core, type);
    },
  };
}

/** Aborts the running handler when an interceptor unsubscribes from it. */
function observe(running: Promise<unknown>, call: Call): Observable<unknown> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  running.then(end, end);
  return new Observable((subscriber) => {
    const subscription = from(running).subscribe(subscriber);
    return () => {
      subscription.unsubscribe();
      if (!isOver) call.abandon();
    };
  });
}

/** If a teardown between two interceptors threw, the outer interceptor would never complete. */
function quietInterceptors(
  original: ContextCreatorInternals['interceptorsContextCreator'],
): ContextCreatorInternals['interceptorsContextCreator'] {
  const quieted = (interceptor: NestInterceptor): NestInterceptor => ({
    intercept(context, next) {
      const call = context.getArgByIndex<Call>(CALL_INDEX);
      const quiet = (made: Observable<unknown>): Observable<unknown> =>
        isObservable(made) ? reportTeardownErrors(made, (error) => call.reportError(error)) : made;
      const made = interceptor.intercept(context, next);
      return made instanceof Promise ? made.then(quiet) : quiet(made as Observable<unknown>);
    },
  });
  return Object.assign(Object.create(original) as typeof original, {
    create: (...place: unknown[]) => original.create(...place).map(quieted),
  });
}

/** The result is an Observable only if interceptors ran; an Observable of the handler is already collected. */
function fitResult(reportError: ReportError): ContextCreatorInternals['transformToResult'] {
  return (result) => (isObservable(result) ? lastValueOf(result, reportError) : result);
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

/** Does not use Nest's fallback, which logs every error with its stack, so that clients could fill the log. */
async function runFilters(filters: FilterHandler, error: unknown, host: NestArgumentsHost): Promise<unknown> {
  const call = host.getArgByIndex(CALL_INDEX) as Call;
  // Errors of guards whose call was cancelled are not reported.
  if (CallInterruption.is(error) || (call.cancelled && call.stage === 'guarding')) throw error;
  // The protocol mandates the answer to this error, and the app did not cause it.
  if (error instanceof HeaderMismatchError) throw error;
  const answer = await answerOf(filters, error, host);
  // A catch-all filter that returns nothing, or the HTTP response, would otherwise turn errors into empty successes.
  if (answer === undefined || answer === null || answer === host.getArgByIndex(RESPONSE_INDEX)) throw error;
  return answer;
}

/** Keeps the original error if a filter fails only because it is too late to set a header. */
async function answerOf(filters: FilterHandler, error: unknown, host: NestArgumentsHost): Promise<unknown> {
  try {
    return await filters.invokeCustomFilters(error, host);
  } catch (failure) {
    throw isTooLate(failure) ? error : failure;
  }
}

/** A kind of enhancer around a handler. */
type Layer = 'guards' | 'interceptors' | 'pipes' | 'filters';

/** Records which enhancers Nest finds while it wraps one handler. A layer that was not looked up counts as present. */
export class FoundEnhancers {
  private readonly empty = new Set<Layer>();

  get hasPipes(): boolean {
    return !this.empty.has('pipes');
  }

  /** Whether the handler has no enhancers, so that Nest's wrapper would only add promises. */
  get isBare(): boolean {
    return this.empty.size === 4;
  }

  /** Copies one of Nest's creators, and records whether its `member` finds enhancers of the layer. */
  watch<T extends object>(creator: T, layer: Layer, member: 'create' | 'createContext' = 'create'): T {
    const own = Object.create(creator) as T & Record<typeof member, (...place: unknown[]) => readonly unknown[]>;
    const find = own[member];
    if (typeof find !== 'function') return creator;
    return Object.assign(own, {
      [member]: (...place: unknown[]) => {
        const found = find.apply(own, place);
        if (found.length === 0) this.empty.add(layer);
        else this.empty.delete(layer);
        return found;
      },
    });
  }
}

import { Logger, type CanActivate, type NestInterceptor } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';
import { from, isObservable, Observable } from 'rxjs';

import { CALL_INDEX } from '../../decorators/mcp-context.js';
import { logFailure } from '../../errors/failure.log.js';
import { lastValueOf, quietly, settleVerdict, type Complain } from '../../errors/quiet.subscriber.js';
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

/** What runs once guards have let a call in. */
export interface Core {
  readonly schema: ComponentSchema | undefined;
  /** Absent where no argument is repeated as a header. */
  readonly mirrors: MirrorCheck | undefined;
  /** Absent where a parameter needs more than the call itself. */
  readonly direct: DirectArguments | undefined;
}

/**
 * Nest's external context, fitted to one handler: enhancers of the module that really holds the host, parameters by
 * type, the argument schema between interceptors and pipes, streams collected before interceptors see the result, and
 * filters whose silence does not swallow an error.
 */
export function fitContextCreator(
  creator: ExternalContextCreator,
  host: ComponentHost,
  core: Core,
  around: Surroundings,
): ExternalContextCreator {
  const own = openContextCreator(creator);
  const keyOfHost = (): string => host.moduleKey;
  // Nest looks among providers only, and then skips the guards of controllers without a word.
  own.getHostModuleKey = keyOfHost;
  own.getContextModuleKey = keyOfHost;
  // Nest 11 caches by method name alone and would reuse another library's parameters.
  own.handlerMetadataStorage = { get: () => undefined, set: () => undefined };
  own.contextUtils = fitParameters(own.contextUtils, host);
  own.pipesContextCreator = around.watch(own.pipesContextCreator, 'pipes');
  own.interceptorsContextCreator = quietInterceptors(around.watch(own.interceptorsContextCreator, 'interceptors'));
  own.guardsContextCreator = fitGuards(around.watch(own.guardsContextCreator, 'guards'));
  own.interceptorsConsumer = fitInterceptors(own.interceptorsConsumer, core, around);
  own.transformToResult = fitResult((error) => logFailure(logger, `${host.owner} failed at its end`, error));
  own.filtersContextCreator = fitFilters(around.watch(own.filtersContextCreator, 'filters', 'createContext'));
  return own as unknown as ExternalContextCreator;
}

/** The same for a handler that Nest has found nothing around. */
export function runBare(call: Call, { schema, mirrors }: Core, run: MethodRun): unknown {
  letIn(call, mirrors);
  return runHandler(call, schema, run);
}

/**
 * Between guards and interceptors, headers are compared with arguments: a caller whom a guard refuses learns nothing of
 * them, and no interceptor has begun to stream, which would commit the status.
 */
function letIn(call: Call, mirrors: MirrorCheck | undefined): void {
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

/** A guard may take its time, and nobody may wait for the next one then. */
function fitGuards(
  original: ContextCreatorInternals['guardsContextCreator'],
): ContextCreatorInternals['guardsContextCreator'] {
  const whileAwaited = (guard: CanActivate): CanActivate => ({
    canActivate(context) {
      const call = context.getArgByIndex<Call>(CALL_INDEX);
      call.enter('guarding');
      const verdict = guard.canActivate(context);
      if (typeof verdict === 'boolean') return verdict;
      return settleVerdict(verdict, (error) => call.complain(error)) as Promise<boolean>;
    },
  });
  return Object.assign(Object.create(original) as typeof original, {
    create: (...place: unknown[]) => original.create(...place).map(whileAwaited),
  });
}

/** Without interceptors there is nothing to wrap, so nothing of RxJS or another promise comes in. */
function fitInterceptors(
  original: ContextCreatorInternals['interceptorsConsumer'],
  { schema, mirrors, direct }: Core,
  around: Surroundings,
): ContextCreatorInternals['interceptorsConsumer'] {
  return {
    intercept: (interceptors, args, instance, callback, ...[next, type]) => {
      const call = args[CALL_INDEX] as Call;
      letIn(call, mirrors);
      const target = { instance: instance as object, method: callback as Method };
      const run = direct === undefined || around.hasPipes ? next : (): unknown => runDirectly(direct, target, call);
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

/** Tells a handler that runs when an interceptor waits for it no longer. */
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

/** A teardown that throws between two interceptors would keep the outer one from ever hearing of the end. */
function quietInterceptors(
  original: ContextCreatorInternals['interceptorsContextCreator'],
): ContextCreatorInternals['interceptorsContextCreator'] {
  const quieted = (interceptor: NestInterceptor): NestInterceptor => ({
    intercept(context, next) {
      const call = context.getArgByIndex<Call>(CALL_INDEX);
      const quiet = (made: Observable<unknown>): Observable<unknown> =>
        isObservable(made) ? quietly(made, (error) => call.complain(error)) : made;
      const made = interceptor.intercept(context, next);
      return made instanceof Promise ? made.then(quiet) : quiet(made as Observable<unknown>);
    },
  });
  return Object.assign(Object.create(original) as typeof original, {
    create: (...place: unknown[]) => original.create(...place).map(quieted),
  });
}

/** Only interceptors make Observables of a result; a handler's own was collected before. */
function fitResult(complain: Complain): ContextCreatorInternals['transformToResult'] {
  return (result) => (isObservable(result) ? lastValueOf(result, complain) : result);
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
  const call = host.getArgByIndex(CALL_INDEX) as Call;
  // Nobody wants to hear what came of guards that a client has not waited for.
  if (CallInterruption.is(error) || (call.cancelled && call.stage === 'guarding')) throw error;
  // Neither is about the app, and both have an answer that the protocol mandates.
  if (error instanceof HeaderMismatchError) throw error;
  const answer = await answerOf(filters, error, host);
  // A catch-all filter that answers nothing, or the HTTP response, would otherwise turn errors into empty successes.
  if (answer === undefined || answer === null || answer === host.getArgByIndex(RESPONSE_INDEX)) throw error;
  return answer;
}

/** A filter that is too late to set a header has failed at nothing that its error is about. */
async function answerOf(filters: FilterHandler, error: unknown, host: NestArgumentsHost): Promise<unknown> {
  try {
    return await filters.invokeCustomFilters(error, host);
  } catch (failure) {
    throw isTooLate(failure) ? error : failure;
  }
}

/** What Nest puts around a handler. */
type Layer = 'guards' | 'interceptors' | 'pipes' | 'filters';

/** Notes what Nest finds for one handler while it wraps it. A layer nobody has asked for counts as there. */
export class Surroundings {
  private readonly empty = new Set<Layer>();

  get hasPipes(): boolean {
    return !this.empty.has('pipes');
  }

  /** Whether Nest's wrapper would add nothing but promises. */
  get isBare(): boolean {
    return this.empty.size === 4;
  }

  /** A copy of one of Nest's creators, whose `member` finds what belongs to the layer. */
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

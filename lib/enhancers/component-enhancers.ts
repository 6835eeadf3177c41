import type { CanActivate, ExceptionFilter, NestInterceptor, PipeTransform, Type } from '@nestjs/common';

import type { Refuse } from './lazy.enhancer.js';

/**
 * Enhancers of one component that was registered at run time; they run inside the enhancers of the app, the class and
 * the method. Classes that DI finds in any module or instantiates, or instances.
 *
 * @publicApi
 */
export interface ComponentEnhancers {
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  readonly interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  readonly pipes?: readonly (Type<PipeTransform> | PipeTransform)[];
  readonly filters?: readonly (Type<ExceptionFilter> | ExceptionFilter)[];
}

/** For each kind, the metadata key that Nest reads, and the method that Nest calls. */
export const ENHANCER_KINDS = {
  guards: { metadata: '__guards__', method: 'canActivate' },
  interceptors: { metadata: '__interceptors__', method: 'intercept' },
  pipes: { metadata: '__pipes__', method: 'transform' },
  filters: { metadata: '__exceptionFilters__', method: 'catch' },
} as const;

export type EnhancerKind = keyof typeof ENHANCER_KINDS;

const KINDS = Object.keys(ENHANCER_KINDS) as readonly EnhancerKind[];

/** One checked entry of the options. */
export interface ListedEnhancer {
  readonly kind: EnhancerKind;
  readonly bound: Type<object> | object;
}

/**
 * Reads the enhancers that a user passed; refuses those that Nest would skip without a message.
 *
 * @throws the error that `refuse` creates for the reason.
 */
export function listEnhancers(options: unknown, refuse: Refuse): readonly ListedEnhancer[] {
  if (options === undefined) return [];
  if (typeof options !== 'object' || options === null) {
    throw refuse(`its enhancers must be an object of ${KINDS.join(', ')}.`);
  }
  const unknown = Object.keys(options).find((key) => !(KINDS as readonly string[]).includes(key));
  if (unknown !== undefined) throw refuse(`unknown kind of enhancers "${unknown}". Valid kinds: ${KINDS.join(', ')}.`);
  return KINDS.flatMap((kind) => {
    const list = (options as Readonly<Record<string, unknown>>)[kind] ?? [];
    if (!Array.isArray(list)) throw refuse(`its ${kind} must be a list of classes or instances.`);
    return list.map((bound: unknown) => ({ kind, bound: requireEnhancer(bound, kind, refuse) }));
  });
}

/**
 * Nest skips an enhancer without the method of its kind.
 *
 * @throws the error that `refuse` creates for the reason.
 */
export function requireMethod(instance: object, kind: EnhancerKind, refuse: Refuse): void {
  const { method } = ENHANCER_KINDS[kind];
  if (typeof (instance as Readonly<Record<string, unknown>>)[method] === 'function') return;
  throw refuse(`one of its ${kind} has no method "${method}".`);
}

function requireEnhancer(bound: unknown, kind: EnhancerKind, refuse: Refuse): ListedEnhancer['bound'] {
  if (typeof bound === 'function') return bound;
  if (typeof bound !== 'object' || bound === null) {
    throw refuse(`its ${kind} hold ${String(bound)}. List classes or instances, and look for circular imports.`);
  }
  requireMethod(bound, kind, refuse);
  return bound;
}

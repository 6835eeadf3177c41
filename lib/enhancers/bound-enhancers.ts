import type { Type } from '@nestjs/common';
import type { ContextId, ModuleRef } from '@nestjs/core';

import { ENHANCER_KINDS, listEnhancers, requireMethod, type EnhancerKind } from './component-enhancers.js';
import { LazyEnhancer, type Refuse } from './lazy.enhancer.js';

export type Method = (...args: never[]) => unknown;

interface Placed {
  readonly kind: EnhancerKind;
  readonly enhancer: LazyEnhancer<object>;
}

type Ready = readonly (readonly [EnhancerKind, object])[];

/** Enhancers of one registration, attached to its method in the form in which Nest takes instances. */
export class BoundEnhancers {
  /** Whether a call needs a separate DI context. */
  readonly isScoped: boolean;
  readonly isGuarded: boolean;

  private constructor(
    private readonly placed: readonly Placed[],
    private readonly refuse: Refuse,
  ) {
    this.isScoped = placed.some(({ enhancer }) => enhancer.isScoped);
    this.isGuarded = placed.some(({ kind }) => kind === 'guards');
  }

  /**
   * `undefined` if no enhancers were passed.
   *
   * @throws the error of `refuse` if an enhancer cannot be used: none is ever skipped.
   */
  static async bind(options: unknown, moduleRef: ModuleRef, refuse: Refuse): Promise<BoundEnhancers | undefined> {
    const placed = listEnhancers(options, refuse).map(({ kind, bound }) => ({
      kind,
      enhancer: new LazyEnhancer(bound, moduleRef, refuse),
    }));
    for (const { kind, enhancer } of placed) {
      await enhancer.resolve();
      refuseLoneScope(enhancer, refuse);
      if (!enhancer.isScoped) requireMethod(enhancer.peek(), kind, refuse);
    }
    return placed.length === 0 ? undefined : new BoundEnhancers(placed, refuse);
  }

  /** The method with the singleton instances. */
  around(method: Method): Method {
    return enhance(method, this.checked(this.placed.map(({ enhancer }) => enhancer.get())));
  }

  /** The method with the instances of one call. */
  async aroundIn(method: Method, contextId: ContextId): Promise<Method> {
    return enhance(
      method,
      this.checked(await Promise.all(this.placed.map(({ enhancer }) => Promise.resolve(enhancer.within(contextId))))),
    );
  }

  private checked(instances: readonly object[]): Ready {
    return this.placed.map(({ kind }, index) => {
      const instance = instances[index];
      requireMethod(instance, kind, this.refuse);
      return [kind, instance];
    });
  }
}

/** Created for this place alone, it would be one instance for all requests. */
function refuseLoneScope({ bound, isMade }: LazyEnhancer<object>, refuse: Refuse): void {
  const scope = isMade ? (Reflect.getMetadata('scope:options', bound) as { scope?: number } | undefined) : undefined;
  if (scope?.scope === undefined || scope.scope === 0) return;
  throw refuse(`${(bound as Type<object>).name} is not a singleton, and no module provides it. Provide it in one.`);
}

/** Inherits the metadata of the method's own decorators, and does not change the method. */
function enhance(method: Method, instances: Ready): Method {
  const enhanced = function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(method, this, args);
  };
  Object.defineProperty(enhanced, 'name', { value: method.name });
  Object.setPrototypeOf(enhanced, method);
  for (const [kind, { metadata }] of Object.entries(ENHANCER_KINDS)) {
    const own = instances.filter(([name]) => name === kind).map(([, instance]) => instance);
    const before = (Reflect.getMetadata(metadata, method) ?? []) as readonly unknown[];
    Reflect.defineMetadata(metadata, [...before, ...own], enhanced);
  }
  return enhanced;
}

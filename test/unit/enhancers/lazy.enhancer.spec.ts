import { describe, expect, it } from '@jest/globals';
import type { CanActivate, Type } from '@nestjs/common';
import type { ContextId, ModuleRef } from '@nestjs/core';

import { LazyEnhancer } from '../../../lib/enhancers/lazy.enhancer.js';

class Guard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

const refuse = (reason: string): Error => new Error(`refused: ${reason}`);

const lazy = (bound: Type<CanActivate> | CanActivate, moduleRef: Partial<ModuleRef>): LazyEnhancer<CanActivate> =>
  new LazyEnhancer(bound, moduleRef as ModuleRef, refuse);

const unknown = (): never => {
  throw new Error('Nest could not find Guard element');
};

const scoped = (): never => {
  throw Object.assign(new Error('Guard is marked as a scoped provider.'), { name: 'InvalidClassScopeException' });
};

describe('an enhancer from options', () => {
  it('is the instance that was passed', async () => {
    const instance = new Guard();
    const enhancer = lazy(instance, {});
    await enhancer.resolve();
    expect([enhancer.get(), enhancer.of({}), enhancer.isScoped, enhancer.isMade]).toEqual([
      instance,
      instance,
      false,
      false,
    ]);
  });

  it('is the instance that DI has at the first use, not at the lookup', async () => {
    let held = Object.create(Guard.prototype) as Guard;
    const enhancer = lazy(Guard, { get: (() => held) as unknown as ModuleRef['get'] });
    await enhancer.resolve();
    held = new Guard();
    expect(enhancer.peek()).toBe(held);
    held = new Guard();
    expect(enhancer.get()).toBe(held);
    const first = held;
    held = new Guard();
    expect([enhancer.get(), enhancer.isMade, enhancer.isScoped]).toEqual([first, false, false]);
    expect(enhancer.get()).toBe(first);
  });

  it('is created when DI has no instance', async () => {
    const made = new Guard();
    const enhancer = lazy(Guard, { get: unknown, create: (() => Promise.resolve(made)) as ModuleRef['create'] });
    await enhancer.resolve();
    expect(enhancer.get()).toBe(made);
    expect([enhancer.isMade, enhancer.isScoped]).toEqual([true, false]);
  });

  it('is refused when DI can neither find nor create it', async () => {
    const enhancer = lazy(Guard, { get: unknown, create: () => Promise.reject(new Error('Something is missing.')) });
    await expect(enhancer.resolve()).rejects.toThrow(
      'refused: Guard cannot be made: Something is missing. Provide it in a module of the app.',
    );
  });

  it('is resolved in the context of each request when it has a scope', async () => {
    const asked: unknown[] = [];
    const registered: unknown[] = [];
    const enhancer = lazy(Guard, {
      get: scoped,
      resolve: ((type: unknown, contextId: unknown, options: unknown) => {
        asked.push([type, contextId, options]);
        return Promise.resolve(new Guard());
      }) as ModuleRef['resolve'],
      registerRequestByContextId: (request: unknown, contextId: ContextId) => registered.push([request, contextId]),
    });
    await enhancer.resolve();
    expect([enhancer.isScoped, enhancer.isMade]).toEqual([true, false]);
    const contextId = { id: 5 } as ContextId;
    expect(await enhancer.within(contextId)).toBeInstanceOf(Guard);
    expect(asked).toEqual([[Guard, contextId, { strict: false }]]);
    expect(registered).toEqual([]);
    const request = { url: '/' };
    expect(await enhancer.of(request)).not.toBe(await enhancer.of(request));
    expect(registered).toHaveLength(2);
    expect(registered[0]).toEqual([request, (asked[1] as unknown[])[1]]);
  });

  it('cannot be used before the lookup', () => {
    expect(() => lazy(Guard, {}).get()).toThrow('refused: it was used before the app was initialised.');
    expect(() => lazy(new Guard(), {}).of({})).toThrow('refused: it was used before the app was initialised.');
  });
});

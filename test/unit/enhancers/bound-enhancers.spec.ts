import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Scope, SetMetadata, UseFilters, UseGuards } from '@nestjs/common';
import type { ContextId, ModuleRef } from '@nestjs/core';

import { BoundEnhancers } from '../../../lib/enhancers/bound-enhancers.js';

const refuse = (reason: string): Error => new Error(`refused: ${reason}`);

const guard = (): { canActivate: () => boolean } => ({ canActivate: () => true });
const filter = (): { catch: () => string } => ({ catch: () => '' });

const nothing = {
  get: () => {
    throw new Error('unknown');
  },
} as unknown as ModuleRef;

async function bound(options: unknown, moduleRef = nothing): Promise<BoundEnhancers> {
  const enhancers = await BoundEnhancers.bind(options, moduleRef, refuse);
  if (enhancers === undefined) throw new Error('There are none.');
  return enhancers;
}

const metadata = (key: string, method: object): unknown => Reflect.getMetadata(key, method);

describe('enhancers of a registration', () => {
  it.each([undefined, {}, { guards: [] }, { guards: undefined }])(
    'are not created for empty options: %j',
    async (options) => {
      expect(await BoundEnhancers.bind(options, nothing, refuse)).toBeUndefined();
    },
  );

  it('are added after the enhancers of the method, on an otherwise equal copy of the method', async () => {
    const [first, second, own] = [guard(), guard(), filter()];
    function method(this: unknown, a: number, b: number): unknown {
      return [this, a, b];
    }
    UseGuards(first)(method);
    SetMetadata('roles', ['admin'])(method);
    const enhanced = (await bound({ guards: [second], filters: [own] })).around(method) as typeof method;
    expect(metadata('__guards__', enhanced)).toEqual([first, second]);
    expect(metadata('__exceptionFilters__', enhanced)).toEqual([own]);
    expect([metadata('roles', enhanced), enhanced.name]).toEqual([['admin'], 'method']);
    const self = {};
    expect(enhanced.call(self, 1, 2)).toEqual([self, 1, 2]);
    expect([metadata('__guards__', method), metadata('__exceptionFilters__', method)]).toEqual([[first], undefined]);
  });

  it('keep the order in which they were listed', async () => {
    const [before, ...own] = [filter(), filter(), filter(), filter()];
    const method = (): string => '';
    UseFilters(before)(method);
    expect(metadata('__exceptionFilters__', (await bound({ filters: own })).around(method))).toEqual([before, ...own]);
  });

  it('are guarded only when they contain guards', async () => {
    expect((await bound({ guards: [guard()] })).isGuarded).toBe(true);
    expect((await bound({ filters: [filter()] })).isGuarded).toBe(false);
  });

  it('are resolved in one DI context when an enhancer has a scope', async () => {
    class Scoped {}
    const plain = guard();
    const moduleRef = {
      get: () => {
        throw Object.assign(new Error('scoped'), { name: 'InvalidClassScopeException' });
      },
      resolve: (_type: unknown, contextId: ContextId) => Promise.resolve({ ...guard(), contextId }),
    } as unknown as ModuleRef;
    const enhancers = await bound({ guards: [plain, Scoped] }, moduleRef);
    expect(enhancers.isScoped).toBe(true);
    const contextId = { id: 1 } as ContextId;
    const enhanced = await enhancers.aroundIn(() => '', contextId);
    expect(metadata('__guards__', enhanced)).toMatchObject([plain, { contextId }]);
  });

  it('are refused when a scoped enhancer lacks its method', async () => {
    class Scoped {}
    const moduleRef = {
      get: () => {
        throw Object.assign(new Error('scoped'), { name: 'InvalidClassScopeException' });
      },
      resolve: () => Promise.resolve({}),
    } as unknown as ModuleRef;
    const enhancers = await bound({ guards: [Scoped] }, moduleRef);
    await expect(enhancers.aroundIn(() => '', { id: 1 })).rejects.toThrow(
      'refused: one of its guards has no method "canActivate".',
    );
  });

  it.each([
    ['interceptors', 'intercept'],
    ['pipes', 'transform'],
    ['filters', 'catch'],
    ['guards', 'canActivate'],
  ])('are refused when they lack their method: %s', async (kind, method) => {
    await expect(bound({ [kind]: [{}] })).rejects.toThrow(`refused: one of its ${kind} has no method "${method}".`);
    expect(await bound({ [kind]: [{ [method]: () => undefined }] })).toBeInstanceOf(BoundEnhancers);
  });

  it.each([Scope.REQUEST, Scope.TRANSIENT])(
    'are refused when a class without a provider is not a singleton: scope %i',
    async (scope) => {
      @Injectable({ scope })
      class Lone {
        canActivate(): boolean {
          return true;
        }
      }
      const moduleRef = Object.assign(Object.create(nothing) as ModuleRef, {
        create: () => Promise.resolve(new Lone()),
      });
      await expect(bound({ guards: [Lone] }, moduleRef)).rejects.toThrow('refused: Lone is not a singleton');
    },
  );
});

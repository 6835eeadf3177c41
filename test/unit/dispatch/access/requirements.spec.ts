import { describe, expect, it } from '@jest/globals';

import { RequireNothing, RequireRoles, RequireScopes } from '../../../../lib/decorators/access.decorator.js';
import { Requirements } from '../../../../lib/dispatch/access/access.rules.js';
import type { ComponentHost } from '../../../../lib/registry/registered-component.js';

@RequireScopes('base')
class Base {
  @RequireScopes('own')
  method(): void {}

  @RequireNothing()
  open(): void {}
}

@RequireRoles('a', 'b')
class Child extends Base {}

@RequireNothing()
class Lifted extends Base {}

const of = (type: { readonly prototype: object }, method: string): Requirements | undefined =>
  Requirements.of({ prototype: type.prototype, method } as ComponentHost);

describe('requirements', () => {
  it('are combined from class and method, and from base class and subclass', () => {
    const scopes = ['base', 'own'];
    expect(of(Base, 'method')?.refusalFor({ scopes })).toBeUndefined();
    expect(of(Base, 'method')?.refusalFor({ scope: 'own' })).toMatchObject({ kind: 'forbidden', scopes });
    expect(of(Child, 'method')?.refusalFor({ scopes })).toMatchObject({ kind: 'forbidden' });
    expect(of(Child, 'method')?.refusalFor({ scopes, roles: ['b'] })).toBeUndefined();
  });

  it('are removed from a method and from a subclass by @RequireNothing()', () => {
    expect(of(Base, 'open')).toBeUndefined();
    expect(of(Lifted, 'method')?.refusalFor({ scope: 'own' })).toBeUndefined();
  });

  it.each([undefined, null])('refuse an anonymous caller: %p', (auth) => {
    expect(of(Base, 'method')?.refusalFor(auth)).toMatchObject({ kind: 'unauthenticated' });
  });

  it.each([{}, { scopes: 'base own' }, { scope: ['base', 'own'] }, { scopes: [['base'], ['own']] }, 'base own'])(
    'are not met by claims of another form: %j',
    (auth) => {
      expect(of(Base, 'method')?.refusalFor(auth)).toMatchObject({ kind: 'forbidden' });
    },
  );

  it.each([
    () => RequireScopes(),
    () => RequireScopes('a b'),
    () => RequireScopes(''),
    () => RequireScopes(1 as never),
    () => RequireRoles(),
    () => RequireRoles({ all: [] }),
    () => RequireRoles({} as never),
  ])('are refused when they are empty or invalid: %s', (decorate) => {
    expect(decorate).toThrow(TypeError);
  });

  it('are refused on a field', () => {
    expect(() => (RequireScopes('a') as PropertyDecorator)({}, 'field')).toThrow('belongs on a class or a method');
  });
});

import { describe, expect, it } from '@jest/globals';

import { readPrincipal } from '../../../lib/dispatch/caller-identity.js';

describe('readPrincipal', () => {
  it('returns the same principal when a token is renewed', () => {
    const claims = { sub: 'ada', iss: 'https://a.example.com' };
    expect(readPrincipal({ ...claims, exp: 1, jti: 'x' })).toBe(readPrincipal({ ...claims, exp: 2, scope: 'more' }));
    expect(readPrincipal({ id: 5, roles: ['a'] })).toBe(readPrincipal({ roles: [], id: 5 }));
    expect(readPrincipal({ name: 'a', team: 'b' })).toBe(readPrincipal({ team: 'b', name: 'a' }));
  });

  it('returns a different principal for every other caller', () => {
    const everybody = [
      undefined,
      '',
      'ada',
      5,
      '5',
      { sub: 'ada' },
      { sub: 'ada', iss: 'a' },
      { sub: 'ada', iss: 'b' },
      { id: 'ada' },
      { name: 'ada' },
      {},
    ].map((auth) => readPrincipal(auth));
    expect(new Set(everybody).size).toBe(everybody.length);
    expect(readPrincipal(null)).toBeUndefined();
  });

  it('refuses values that contain more than data', () => {
    expect(() => readPrincipal(new Map())).toThrow(/requestState: { principal/);
    expect(() => readPrincipal({ load: () => 1 })).toThrow(/neither "sub" nor "id"/);
  });
});

import { describe, expect, it } from '@jest/globals';

import type { Caller } from '../../../lib/model/peer.js';
import { fingerprint, ownerOf } from '../../../lib/dispatch/calls/caller-identity.js';

class User {
  constructor(
    readonly id: number,
    readonly since?: Date,
  ) {}
}

class Hidden {
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }

  get id(): number {
    return this.#id;
  }
}

const cyclic: Record<string, unknown> = { sub: 'ada' };
cyclic['self'] = cyclic;

describe('the fingerprint of a caller', () => {
  it.each([
    ['ada', 'ada'],
    [7, 7],
    [null, null],
    [
      { sub: 'ada', roles: ['a', 'b'] },
      { roles: ['a', 'b'], sub: 'ada' },
    ],
    [{ a: { b: 1, c: 2n } }, { a: { c: 2n, b: 1 } }],
    [new User(7, new Date(5)), new User(7, new Date(5))],
    [{}, Object.create(null)],
    [{ a: undefined }, { a: undefined }],
  ])('of equal data is equal: %p', (one, other) => {
    expect(fingerprint(one)).toBeDefined();
    expect(fingerprint(one)).toBe(fingerprint(other));
  });

  it.each([
    ['7', 7],
    [7, 7n],
    ['true', true],
    ['null', null],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a', 'b'], ['a,b']],
    [{ a: '1,"b":2' }, { a: '1', b: 2 }],
    [new Date(5), new Date(6)],
    [new Date(5), 5],
    [new User(7), new User(8)],
    [[], {}],
  ])('of other data is another: %p and %p', (one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });

  it.each([
    ['a map', new Map([['sub', 'ada']])],
    ['a set', new Set(['ada'])],
    ['private members', new Hidden(7)],
    ['a function', { sub: 'ada', can: () => true }],
    ['a symbol', Symbol('ada')],
    ['a cycle', cyclic],
    ['one of them deep inside', { a: [{ b: new Map() }] }],
  ])('of %s does not exist', (_name, value) => {
    expect(fingerprint(value)).toBeUndefined();
  });
});

describe('the owner of a request', () => {
  const connection = {};
  const callerOf = (auth: unknown): Caller => ({ auth: () => auth, connection });

  it.each([
    ['ada', 'ada'],
    [7, 7],
    [{ sub: 'ada', id: 'other' }, 'ada'],
    [{ id: 7 }, 7],
  ])('is who a guard said it is: %p', (auth, expected) => {
    expect(ownerOf(callerOf(auth))).toBe(expected);
  });

  it.each([undefined, null, true, {}, { sub: {} }, { name: 'ada' }])('is its connection otherwise: %p', (auth) => {
    expect(ownerOf(callerOf(auth))).toBe(connection);
  });
});

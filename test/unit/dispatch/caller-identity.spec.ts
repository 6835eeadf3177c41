import { describe, expect, it } from '@jest/globals';

import type { Caller } from '../../../lib/model/peer.js';
import { callerKey, fingerprint, ownerOf } from '../../../lib/dispatch/caller-identity.js';

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
  ])('is equal for equal data: %p', (one, other) => {
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
  ])('is different for different data: %p and %p', (one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });

  it.each([
    ['a map', new Map([['sub', 'ada']])],
    ['a set', new Set(['ada'])],
    ['private members', new Hidden(7)],
    ['a function', { sub: 'ada', can: () => true }],
    ['a symbol', Symbol('ada')],
    ['a cycle', cyclic],
    ['a nested map', { a: [{ b: new Map() }] }],
  ])('is undefined for %s', (_name, value) => {
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
  ])('is read from the data of the guard: %p', (auth, expected) => {
    expect(ownerOf(callerOf(auth))).toBe(expected);
  });

  it('is the address of the caller when there is no connection', () => {
    const from = (address?: string): unknown => ownerOf({ auth: () => undefined, address });
    expect(from('1.2.3.4')).toBe(from('::ffff:1.2.3.4'));
    expect([from('1.2.3.4'), from(''), from()]).toEqual(['\u0000address 1.2.3.4', '\u0000unknown', undefined]);
    expect(ownerOf({ auth: () => undefined, connection, address: '1.2.3.4' })).toBe(connection);
  });

  it.each([
    ['\u0000address 1.2.3.4', connection],
    [{ sub: '\u0000unknown', id: 7 }, 7],
  ])('is not read from a name that looks like an address: %j', (auth, expected) => {
    expect(ownerOf({ auth: () => auth, connection, address: '5.6.7.8' })).toBe(expected);
  });

  it.each([undefined, null, true, {}, { sub: {} }, { name: 'ada' }])(
    'is the connection for any other data: %p',
    (auth) => {
      expect(ownerOf(callerOf(auth))).toBe(connection);
    },
  );
});

describe('the key of a caller', () => {
  it.each<[string, Partial<Caller>, unknown]>([
    ['the name', { auth: () => 'ada', address: '1.2.3.4' }, 'ada'],
    ['the address', { address: '::ffff:1.2.3.4', request: { ip: '5.6.7.8' } }, '\u0000address 1.2.3.4'],
    ['the address of the request', { request: { ip: '2001:db8::1' } }, '\u0000address 2001:db8:0:0::/64'],
    ['the key of unknown callers when the address is invalid', { request: { ip: 5 } }, '\u0000unknown'],
    ['the key of unknown callers when there is no request', { request: undefined }, '\u0000unknown'],
    ['not the connection', { connection: {} }, '\u0000unknown'],
  ])('is %s', (_what, parts, expected) => {
    expect(callerKey({ auth: () => undefined, ...parts })).toBe(expected);
  });
});

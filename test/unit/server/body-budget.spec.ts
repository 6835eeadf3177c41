import { describe, expect, it } from '@jest/globals';

import type { Caller } from '../../../lib/model/peer.js';
import { BodyBudget } from '../../../lib/server/body-budget.js';

const anonymous = (address?: string): Caller => ({ auth: () => undefined, connection: { address }, address });
const named = (auth: unknown): Caller => ({ auth: () => auth, connection: {} });

describe('BodyBudget', () => {
  it('gives half to one caller, and all to all of them', () => {
    const budget = new BodyBudget(100);
    expect([budget.take('a', 50), budget.take('a', 1)]).toEqual([true, false]);
    expect([budget.take('b', 49), budget.take('c', 2), budget.take('c', 1)]).toEqual([true, false, true]);
    expect(budget.heldBytes).toBe(100);
  });

  it('accepts new bodies after bytes were released', () => {
    const budget = new BodyBudget(100);
    for (let round = 0; round < 3; round += 1) {
      expect([budget.take('a', 30), budget.take('a', 20), budget.take('a', 1)]).toEqual([true, true, false]);
      budget.release('a', 30);
      expect([budget.heldBytes, budget.take('a', 31), budget.take('a', 30)]).toEqual([20, false, true]);
      budget.release('a', 50);
      expect(budget.heldBytes).toBe(0);
    }
  });

  it('takes callers for the same by what a guard left, else by their address, else by their connection', () => {
    const budget = new BodyBudget(100);
    const same: readonly (readonly [Caller, Caller, boolean])[] = [
      [named('a'), named({ sub: 'a' }), true],
      [named('a'), named('b'), false],
      [anonymous('192.0.2.1'), anonymous('::ffff:192.0.2.1'), true],
      [anonymous('192.0.2.1'), anonymous('192.0.2.2'), false],
      [anonymous('2001:db8::1'), anonymous('2001:db8::2'), true],
      [anonymous('192.0.2.1'), named('192.0.2.1'), false],
      [anonymous(), anonymous(), false],
      [named(undefined), named(undefined), false],
    ];
    for (const [one, other, expected] of same) {
      expect([one.connection, budget.payerOf(one) === budget.payerOf(other)]).toEqual([one.connection, expected]);
    }
    const caller = anonymous();
    expect(budget.payerOf(caller)).toBe(caller.connection);
    expect(budget.payerOf({ auth: () => undefined })).toBeUndefined();
  });
});

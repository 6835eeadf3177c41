import { describe, expect, it } from '@jest/globals';

import { BodyBudget } from '../../../../lib/server/body-budget.js';
import { ArrivingBody } from '../../../../lib/transports/node-http/arriving-body.js';

const CALLER = { auth: () => 'somebody' };
const MAX = 1_000_000;

/** Pieces of these sizes, each with memory of its own or out of a larger buffer, as parsers make them. */
function piecesOf(sizes: readonly number[], shared: boolean): Buffer[] {
  return sizes.map((size, index) => {
    const own = Buffer.alloc(size + (shared ? 1 : 0), index % 256);
    return shared ? own.subarray(1) : own;
  });
}

const times = (count: number, ...sizes: readonly number[]): number[] =>
  Array.from({ length: count }, () => sizes).flat();

describe('ArrivingBody', () => {
  it.each<readonly [string, readonly number[]]>([
    ['nothing', []],
    ['nothing in pieces', [0, 0]],
    ['one piece', [5]],
    ['one large piece', [100_000]],
    ['single bytes', times(5_000, 1)],
    ['small and large pieces in turn', times(60, 1, 1_024, 3, 5_000)],
    ['pieces that fill blocks exactly', times(8, 1_024)],
    ['large pieces', times(10, 65_536)],
  ])('is all that came in %s, and holds little more', (_name, sizes) => {
    for (const shared of [false, true]) {
      const budget = new BodyBudget(2 * MAX);
      const body = new ArrivingBody(budget, CALLER, MAX);
      const pieces = piecesOf(sizes, shared);
      let received = 0;
      for (const piece of pieces) {
        expect(body.append(piece)).toBe(true);
        received += piece.length;
        expect(body.receivedBytes).toBe(received);
        expect(budget.heldBytes).toBeGreaterThanOrEqual(received);
        expect(budget.heldBytes).toBeLessThanOrEqual(2 * received + 1_024);
      }
      expect(Buffer.compare(body.take(), Buffer.concat(pieces))).toBe(0);
      expect(budget.heldBytes).toBe(0);
    }
  });

  it('holds at most the announced length', () => {
    const budget = new BodyBudget(2 * MAX);
    const body = new ArrivingBody(budget, CALLER, 10);
    body.append(Buffer.from('abc'));
    expect(budget.heldBytes).toBe(10);
    body.append(Buffer.from('defghij'));
    expect([budget.heldBytes, Buffer.from(body.take()).toString()]).toEqual([10, 'abcdefghij']);
  });

  it.each([10, Number.NaN, 0])('takes more than %d bytes, in blocks as always, though no more was announced', (max) => {
    const budget = new BodyBudget(2 * MAX);
    const body = new ArrivingBody(budget, CALLER, max);
    for (let count = 0; count < 5_000; count += 1) body.append(Buffer.of(120));
    expect(budget.heldBytes).toBeLessThanOrEqual(2 * 5_000 + 1_024);
    expect(Buffer.from(body.take()).toString()).toBe('x'.repeat(5_000));
  });

  it('reports a full budget, and releases its bytes once', () => {
    const budget = new BodyBudget(10_000);
    const body = new ArrivingBody(budget, CALLER, MAX);
    expect([body.append(Buffer.alloc(5_000)), body.append(Buffer.of(1))]).toEqual([true, false]);
    const other = new ArrivingBody(budget, { auth: () => 'other' }, MAX);
    expect(other.append(Buffer.alloc(5_000))).toBe(true);
    body.drop();
    body.drop();
    expect(budget.heldBytes).toBe(5_000);
    other.drop();
    expect(budget.heldBytes).toBe(0);
  });
});

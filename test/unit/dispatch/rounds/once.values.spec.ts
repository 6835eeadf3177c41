import { describe, expect, it } from '@jest/globals';

import { OnceValues } from '../../../../lib/dispatch/rounds/once.values.js';
import { Gate } from '../../../support/gate.js';

describe('values that are computed once', () => {
  it('are converted by JSON, on the first run too', async () => {
    const values = new OnceValues();
    expect(await values.get('at', () => new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(await values.get('list', () => [undefined, 1])).toEqual([null, 1]);
    expect(await values.get('none', () => undefined)).toBeUndefined();
    expect([...values.known.keys()]).toEqual(['at', 'list', 'none']);
  });

  it('are not computed again, and each caller gets a separate copy', async () => {
    const values = new OnceValues();
    let runs = 0;
    const gate = new Gate<{ runs: number }>();
    const compute = (): Promise<{ runs: number }> => {
      runs += 1;
      return gate.opened;
    };
    const asked = [values.get('a', compute), values.get('a', compute)];
    expect(values.known.size).toBe(0);
    gate.open({ runs: 7 });
    const [first, second] = await Promise.all(asked);
    expect(runs).toBe(1);
    expect(first).toEqual({ runs: 7 });
    expect(second).not.toBe(first);
    const later = new OnceValues();
    later.restore(values.known);
    expect(await later.get('a', compute)).toEqual({ runs: 7 });
    expect(runs).toBe(1);
  });

  it('are computed again after an error', async () => {
    const values = new OnceValues();
    await expect(values.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await values.get('a', () => 1)).toBe(1);
  });

  it.each([
    ['a function', () => 1],
    ['a bigint', 1n],
    [
      'a cycle',
      ((): unknown => {
        const cycle: Record<string, unknown> = {};
        cycle['self'] = cycle;
        return cycle;
      })(),
    ],
  ])('are refused when JSON cannot encode them: %s', async (_what, value) => {
    const values = new OnceValues();
    await expect(values.get('a', () => value)).rejects.toThrow(
      'The value of once("a") cannot be stored, since JSON cannot encode it.',
    );
    expect(values.known.size).toBe(0);
  });
});

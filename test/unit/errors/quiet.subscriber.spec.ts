import { describe, expect, it } from '@jest/globals';
import { EMPTY, finalize, from, map, Observable, of, Subject, throwError } from 'rxjs';

import { lastValueOf, reportTeardownErrors, settleVerdict } from '../../../lib/errors/quiet.subscriber.js';
import { ProcessFaults } from '../../support/process-faults.js';

const broken = (): never => {
  throw new Error('teardown');
};

const soon = <T>(value: T): Observable<T> =>
  from(Promise.resolve()).pipe(
    map(() => value),
    finalize(broken),
  );

describe('the last value of an Observable', () => {
  it.each([
    ['of many', () => of(1, 2, 3), 3, []],
    ['with a teardown that throws', () => soon('x'), 'x', [new Error('teardown')]],
    ['with two of them', () => soon('x').pipe(finalize(broken)), 'x', [new Error('teardown'), new Error('teardown')]],
  ])('is there, and a teardown is complained about: %s', async (_what, make, value, complaints) => {
    using faults = new ProcessFaults();
    const heard: unknown[] = [];
    expect(await lastValueOf(make(), (error) => heard.push(error))).toBe(value);
    expect(heard).toEqual(complaints);
    expect(await faults.all()).toEqual([]);
  });

  it.each([
    ['nothing', EMPTY, 'no elements in sequence'],
    ['an error', throwError(() => new Error('no')), 'no'],
    ['a subscribe that throws', { lift: broken, subscribe: broken } as never, 'teardown'],
  ])('is missed: %s', async (_what, source, message) => {
    await expect(lastValueOf(source, broken)).rejects.toThrow(message);
  });
});

describe('a quiet Observable', () => {
  it('passes everything on, and leaves its source', () => {
    const source = new Subject<number>();
    const heard: unknown[] = [];
    const subscription = reportTeardownErrors(source, broken).subscribe((value) => heard.push(value));
    source.next(1);
    subscription.unsubscribe();
    source.next(2);
    expect([heard, source.observed]).toEqual([[1], false]);
  });

  it('keeps what is behind it from what its teardown throws', async () => {
    using faults = new ProcessFaults();
    const heard: unknown[] = [];
    const seen = await lastValueOf(
      reportTeardownErrors(soon('x'), (error) => heard.push(error)).pipe(map((text) => `${text}!`)),
      broken,
    );
    expect([seen, heard, await faults.all()]).toEqual(['x!', [new Error('teardown')], []]);
  });
});

describe('a verdict', () => {
  it.each([true, Promise.resolve(true), of(false, true), Promise.resolve(of(true))])(
    'may be promised and observed (%#)',
    async (verdict) => {
      expect(await settleVerdict(verdict, broken)).toBe(true);
    },
  );
});

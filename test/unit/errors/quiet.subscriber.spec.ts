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
    ['several values', () => of(1, 2, 3), 3, []],
    ['a teardown that throws', () => soon('x'), 'x', [new Error('teardown')]],
    [
      'two teardowns that throw',
      () => soon('x').pipe(finalize(broken)),
      'x',
      [new Error('teardown'), new Error('teardown')],
    ],
  ])('is returned, and errors of a teardown are reported: %s', async (_what, make, value, complaints) => {
    using faults = new ProcessFaults();
    const heard: unknown[] = [];
    expect(await lastValueOf(make(), (error) => heard.push(error))).toBe(value);
    expect(heard).toEqual(complaints);
    expect(await faults.all()).toEqual([]);
  });

  it.each([
    ['an empty Observable', EMPTY, 'no elements in sequence'],
    ['an Observable with an error', throwError(() => new Error('no')), 'no'],
    ['a subscribe method that throws', { lift: broken, subscribe: broken } as never, 'teardown'],
  ])('is rejected with an error: %s', async (_what, source, message) => {
    await expect(lastValueOf(source, broken)).rejects.toThrow(message);
  });
});

describe('reportTeardownErrors', () => {
  it('passes values on and unsubscribes from the source', () => {
    const source = new Subject<number>();
    const heard: unknown[] = [];
    const subscription = reportTeardownErrors(source, broken).subscribe((value) => heard.push(value));
    source.next(1);
    subscription.unsubscribe();
    source.next(2);
    expect([heard, source.observed]).toEqual([[1], false]);
  });

  it('reports the error of a teardown and does not pass it on', async () => {
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
    'may be a promise or an Observable (%#)',
    async (verdict) => {
      expect(await settleVerdict(verdict, broken)).toBe(true);
    },
  );
});

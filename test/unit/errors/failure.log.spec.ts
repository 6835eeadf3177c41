import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { FailureLog, logFailure, logWithReference } from '../../../lib/errors/failure.log.js';
import { ManualClock } from '../../support/manual-clock.js';

const lines: string[] = [];

class Kept extends Logger {
  override error(message: unknown): void {
    lines.push(`error ${String(message)}`);
  }

  override warn(message: unknown): void {
    lines.push(`warn ${String(message)}`);
  }
}

describe('FailureLog', () => {
  beforeEach(() => {
    lines.length = 0;
  });

  const failTimes = (log: FailureLog, owner: string, times: number, text = 'broken'): void => {
    for (let count = 0; count < times; count += 1) log.write(owner, new Error(text));
  };

  describe('the log of failures', () => {
    it('shows the first failures of a minute, and then the number of further failures', () => {
      const clock = new ManualClock();
      const log = new FailureLog(new Kept(), clock);
      failTimes(log, 'Tools.a failed', 5_000);
      expect(lines).toEqual(Array.from({ length: 20 }, () => 'error Tools.a failed: broken'));
      clock.advance(60_000);
      expect(lines.slice(20)).toEqual(['error Tools.a failed: 4980 more times within a minute, which are not shown']);
      failTimes(log, 'Tools.a failed', 1);
      expect(lines).toHaveLength(22);
      expect(clock.pending).toBe(0);
    });

    it('shows the number also when the timer is late', () => {
      const clock = new ManualClock();
      const log = new FailureLog(new Kept(), clock);
      failTimes(log, 'a', 21);
      clock.stall(61_000);
      failTimes(log, 'a', 1);
      expect(lines.slice(20)).toEqual([
        'error a: 1 more times within a minute, which are not shown',
        'error a: broken',
      ]);
      failTimes(log, 'a', 30);
      clock.advance(60_000);
      expect(lines.at(-1)).toBe('error a: 11 more times within a minute, which are not shown');
      expect(clock.pending).toBe(0);
    });

    it('shows failures of another owner, and another message of the same owner', () => {
      const log = new FailureLog(new Kept(), new ManualClock());
      failTimes(log, 'a', 100);
      failTimes(log, 'b', 1);
      failTimes(log, 'a', 2, 'something else');
      expect(lines.slice(20)).toEqual(['error b: broken', 'error a: something else']);
    });

    it('treats messages that differ only in numbers as equal', () => {
      const log = new FailureLog(new Kept(), new ManualClock());
      for (let count = 0; count < 100; count += 1) log.write('a', new Error(`no row ${count}`));
      log.write('a', new Error('no table'));
      expect(lines.slice(20)).toEqual(['error a: no table']);
    });

    it('is bounded for any number of owners and messages', () => {
      const clock = new ManualClock();
      const log = new FailureLog(new Kept(), clock);
      for (let count = 0; count < 1_000; count += 1) log.write('a', new Error(`broken ${'x'.repeat(count % 100)}`));
      expect(lines).toHaveLength(20);
      for (let owner = 0; owner < 1_000; owner += 1) failTimes(log, `owner ${owner}`, 1);
      expect(lines).toHaveLength(20 + 255 + 20);
      clock.advance(60_000);
      expect(lines.slice(-2)).toEqual([
        'error a: 980 more times within a minute, which are not shown',
        'error Something else failed: 725 more times within a minute, which are not shown',
      ]);
    });

    it('counts warnings in the same way', () => {
      const clock = new ManualClock();
      const log = new FailureLog(new Kept(), clock);
      for (let count = 0; count < 30; count += 1) log.warn('a talks too much', 'a talks too much. Tell it.');
      clock.advance(60_000);
      expect(lines).toEqual([
        ...Array.from({ length: 20 }, () => 'warn a talks too much. Tell it.'),
        'warn a talks too much: 10 more times within a minute, which are not shown',
      ]);
    });

    it('gives each failure a unique reference, also when the failure is not shown', () => {
      const logger = new Kept();
      const references = Array.from({ length: 50 }, () => logWithReference(logger, 'a failed', new Error('broken')));
      expect(new Set(references).size).toBe(50);
      expect(lines).toHaveLength(20);
      expect(lines[0]).toBe(`error a failed [${references[0]}]: broken`);
      logFailure(logger, 'b failed', null);
      expect(lines.at(-1)).toBe('error b failed: object');
    });
  });
});

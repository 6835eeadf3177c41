import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../../lib/execution/clock.js';
import { Executor } from '../../../lib/execution/executor.js';
import { Gate } from '../../support/gate.js';
import { RecordedJob } from './recorded-job.js';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('systemClock', () => {
  it('runs a callback after the delay, and not before', async () => {
    const gate = new Gate<number>();
    const began = systemClock.now();
    const keepAlive = setTimeout(() => {}, 60_000);
    systemClock.after(20, () => gate.open(systemClock.now() - began));
    // Timers of Node.js count whole milliseconds and may be one early.
    expect(await gate.opened).toBeGreaterThanOrEqual(19);
    clearTimeout(keepAlive);
  });

  it('does not run a cancelled callback', async () => {
    const runs: string[] = [];
    const gate = new Gate();
    const cancel = systemClock.after(1, () => runs.push('cancelled'));
    systemClock.after(2, gate.open);
    cancel();
    const keepAlive = setTimeout(() => {}, 60_000);
    await gate.opened;
    clearTimeout(keepAlive);
    expect(runs).toEqual([]);
  });

  it('does not keep the process alive', () => {
    const before = timers();
    const cancel = systemClock.after(60_000, () => {});
    expect(timers()).toBe(before);
    cancel();
  });

  it('is the default clock of an executor', async () => {
    const gate = new Gate();
    const log: string[] = [];
    const keepAlive = setTimeout(() => {}, 60_000);
    const executor = new Executor();
    executor.submit(new RecordedJob('a', log, { timeoutMs: 5, onStop: () => gate.open() }));
    await gate.opened;
    clearTimeout(keepAlive);
    executor.close();
    expect(log).toEqual(['start a', 'stop a deadline']);
  });
});

import { describe, expect, it } from '@jest/globals';

import { Executor } from '../../../lib/execution/executor.js';
import type { JobTicket } from '../../../lib/execution/job.js';
import { countAlive } from './garbage.js';
import { RecordedJob } from './recorded-job.js';

describe('an executor', () => {
  it('keeps few owners and scopes without jobs in memory', async () => {
    const executor = new Executor();
    const owners: WeakRef<object>[] = [];
    const scopes: WeakRef<object>[] = [];
    for (let count = 0; count < 500; count += 1) {
      const [owner, scope] = [{}, {}];
      const job = new RecordedJob('job', [], { owner, key: { scope, id: 1 } });
      executor.submit(job);
      job.finish();
      owners.push(new WeakRef(owner));
      scopes.push(new WeakRef(scope));
    }
    expect(await countAlive(owners)).toBeLessThan(100);
    expect(await countAlive(scopes)).toBeLessThan(100);
    executor.close();
  });

  it('keeps no finished job in memory, and a ticket keeps no other job', async () => {
    const executor = new Executor({ maxConcurrency: 1_000 });
    const tickets: JobTicket[] = [];
    const references = Array.from({ length: 100 }, () => {
      const job = new RecordedJob('job', []);
      const answer = executor.submit(job);
      if (typeof answer !== 'string') tickets.push(answer);
      return new WeakRef(job);
    });
    expect(await countAlive(references)).toBe(100);
    for (const ticket of tickets.toReversed()) ticket.finish();
    const [last] = tickets.splice(0).slice(-1);
    // The interpreter may keep one or two of the last jobs.
    expect(await countAlive(references)).toBeLessThan(10);
    last?.finish();
    executor.close();
  });
});

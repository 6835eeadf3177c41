import { describe, expect, it } from '@jest/globals';

import { createExecutorLimits } from '../../../lib/execution/executor-limits.js';
import { Executor } from '../../../lib/execution/executor.js';
import { InvalidOptionsError } from '../../../lib/errors/invalid-options.error.js';

describe('limits', () => {
  it('have defaults', () => {
    expect(createExecutorLimits({})).toEqual({
      ...{ maxConcurrency: 32, maxQueue: 256, maxPerOwner: 16, maxQueuedPerOwner: 128 },
      ...{ abandonAfterMs: 5_000, maxAbandoned: 32 },
    });
  });

  it.each([
    [1, 0, 1, 0],
    [1, 1, 1, 1],
    [5, 7, 3, 4],
  ])(
    'per owner are derived from the concurrency %p and the queue %p',
    (maxConcurrency, maxQueue, maxPerOwner, maxQueuedPerOwner) => {
      const limits = createExecutorLimits({ maxConcurrency, maxQueue });
      expect(limits).toMatchObject({ maxPerOwner, maxQueuedPerOwner, maxAbandoned: maxConcurrency });
    },
  );

  it.each<readonly [string, unknown]>([
    ['maxConcurrency', 0],
    ['maxConcurrency', 1.5],
    ['maxConcurrency', '4'],
    ['maxQueue', -1],
    ['maxQueue', Infinity],
    ['maxQueue', null],
    ['maxPerOwner', 0],
    ['maxQueuedPerOwner', -1],
    ['abandonAfterMs', -1],
    ['abandonAfterMs', NaN],
    ['maxAbandoned', 0],
  ])('refuse %s: %p with the name of the option', (name, value) => {
    const create = (): Executor => new Executor({ [name]: value });
    expect(create).toThrow(InvalidOptionsError);
    expect(create).toThrow(`"${name}"`);
  });

  it('accept the smallest value of each option', () => {
    const least = { maxConcurrency: 1, maxQueue: 0, maxPerOwner: 1, maxQueuedPerOwner: 0 };
    const options = { ...least, abandonAfterMs: 0, maxAbandoned: 1 };
    expect(createExecutorLimits(options)).toEqual(options);
  });
});

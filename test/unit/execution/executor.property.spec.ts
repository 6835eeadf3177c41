import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { Executor } from '../../../lib/execution/executor.js';
import type { JobKey } from '../../../lib/execution/job.js';
import { ManualClock } from '../../support/manual-clock.js';
import { ExecutorModel, isAnonymous, type Manner, type ModelJob, type ModelLimits } from './executor.model.js';
import { RecordedJob } from './recorded-job.js';

type Step =
  | { readonly kind: 'submit'; readonly job: Omit<ModelJob, 'name'> }
  | { readonly kind: 'finish' | 'cancelOne' | 'open'; readonly pick: number }
  | { readonly kind: 'cancel'; readonly key: JobKey }
  | { readonly kind: 'cancelOwner'; readonly owner: string | undefined }
  | { readonly kind: 'advance' | 'stall'; readonly ms: number }
  | { readonly kind: 'close' };

const limits: Arbitrary<ModelLimits> = fc.record({
  maxConcurrency: fc.integer({ min: 1, max: 4 }),
  maxQueue: fc.integer({ min: 0, max: 8 }),
  maxPerOwner: fc.integer({ min: 1, max: 3 }),
  maxQueuedPerOwner: fc.integer({ min: 0, max: 5 }),
  abandonAfterMs: fc.integer({ min: 0, max: 6 }),
  maxAbandoned: fc.integer({ min: 1, max: 4 }),
});

const owner = fc.constantFrom('x', 'y', 'z', 'n1', 'n2', 'n3', undefined);
const key: Arbitrary<JobKey> = fc.record({
  scope: fc.constantFrom('one', undefined),
  id: fc.constantFrom<JobKey['id'][]>(1, '1', 1n),
});

const job = fc.record({
  lane: fc.constantFrom('work' as const, 'work' as const, 'work' as const, 'control' as const, 'stream' as const),
  owner,
  key: fc.option(key, { nil: undefined, freq: 2 }),
  timeoutMs: fc.constantFrom(Infinity, Infinity, 0, 3, 7, 15),
  manner: fc.constantFrom<Manner[]>('deaf', 'deaf', 'deaf', 'obedient', 'obedient', 'instant', 'broken'),
});

const step: Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: job.map((drawn): Step => ({ kind: 'submit', job: drawn })) },
  {
    weight: 35,
    arbitrary: fc.record({
      kind: fc.constantFrom('finish' as const, 'finish' as const, 'cancelOne' as const, 'open' as const),
      pick: fc.nat(10_000),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('cancel' as const), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('cancelOwner' as const), owner }) },
  { weight: 20, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('stall' as const), ms: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
);

/** An executor and its model, which get the same steps. */
class Pair {
  readonly log: string[] = [];
  readonly clock = new ManualClock();
  readonly executor: Executor;
  readonly model: ExecutorModel;
  readonly jobs: RecordedJob[] = [];

  constructor(given: ModelLimits) {
    this.executor = new Executor(given, this.clock);
    this.model = new ExecutorModel(given);
  }

  /** Performs one step on both and returns both answers. */
  take(next: Step): readonly [unknown, unknown] {
    switch (next.kind) {
      case 'submit': {
        const drawn: ModelJob = { ...next.job, name: `${this.jobs.length}` };
        const answer = this.submit(drawn);
        const displaced = this.log.find((line) => line.endsWith(' displaced'))?.split(' ')[1];
        const loser = this.jobs[Number(displaced)]?.owner as string | undefined;
        this.model.tieBreak = (candidates) => (candidates.includes(loser) ? loser : candidates[0]);
        return [answer, this.model.submit(drawn)];
      }
      case 'finish':
      case 'open':
      case 'cancelOne':
        return this.touch(next.kind, next.pick);
      case 'cancel':
        return [this.executor.cancel(next.key), this.model.cancel(next.key)];
      case 'cancelOwner':
        return [this.executor.cancelOwner(next.owner), this.model.cancelOwner(next.owner)];
      case 'advance':
        return [this.clock.advance(next.ms), this.model.advance(next.ms)];
      case 'stall':
        return [this.clock.stall(next.ms), this.model.stall(next.ms)];
      case 'close':
        return [this.executor.close(), this.model.close()];
      default:
        return next satisfies never;
    }
  }

  counts(): readonly number[] {
    const { running, queued, controlRunning, controlQueued, abandoned, owners } = this.executor.stats();
    return [running, queued, controlRunning, controlQueued, abandoned, owners];
  }

  private submit(drawn: ModelJob): string {
    const recorded = new RecordedJob(drawn.name, this.log, {
      ...drawn,
      isAnonymous: isAnonymous(drawn.owner),
      onStart: (ticket) => {
        if (drawn.manner === 'instant') ticket.finish();
        if (drawn.manner === 'broken') throw new TypeError('broken');
      },
      onStop: (ticket) => {
        if (drawn.manner === 'obedient') ticket?.finish();
      },
    });
    this.jobs.push(recorded);
    try {
      const answer = this.executor.submit(recorded);
      if (typeof answer === 'string') return answer;
      recorded.ticket = answer;
      return 'taken';
    } catch {
      return 'thrown';
    }
  }

  /** Opens a job if it is a stream. */
  private open({ lane, ticket }: RecordedJob): void {
    if (lane === 'stream') ticket?.open();
  }

  /** Chooses any accepted job, finished or not, and applies the step. */
  private touch(kind: 'finish' | 'cancelOne' | 'open', pick: number): readonly [unknown, unknown] {
    const taken = this.jobs.filter(({ ticket }) => ticket !== undefined);
    const chosen = taken[pick % Math.max(taken.length, 1)];
    if (chosen === undefined) return [undefined, undefined];
    if (kind === 'finish') return [chosen.finish(), this.model.finish(chosen.name)];
    if (kind === 'open') return [this.open(chosen), this.model.open(chosen.name)];
    return [chosen.ticket?.cancel('owner-gone'), this.model.cancelOne(chosen.name)];
  }
}

/** Starts in their order, and then the stops sorted, since stops at the same time may have any order. */
function inOrder(log: readonly string[]): string[] {
  const starts = log.filter((line) => line.startsWith('start'));
  return [...starts, ...log.filter((line) => !line.startsWith('start')).toSorted()];
}

describe('an executor', () => {
  it('behaves like its model for any sequence of steps, and has no jobs, keys or timers at the end', () => {
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 150, size: 'max' }), (given, steps) => {
        const pair = new Pair(given);
        const seen: unknown[] = [];
        const wanted: unknown[] = [];
        for (const next of steps) {
          const [answer, expected] = pair.take(next);
          seen.push(answer, ...pair.counts(), ...inOrder(pair.log.splice(0)), pair.clock.pending <= 1);
          wanted.push(expected, ...pair.model.counts, ...inOrder(pair.model.log.splice(0)), true);
        }
        expect(seen).toEqual(wanted);
        for (const { ticket } of pair.jobs) ticket?.finish();
        for (const { ticket } of pair.jobs) ticket?.finish();
        expect(pair.counts()).toEqual([0, 0, 0, 0, 0, 0]);
        const left = ['one', undefined].flatMap((scope) =>
          [1, '1', 1n].filter((id) => pair.executor.cancel({ scope, id })),
        );
        expect(left).toEqual([]);
        pair.clock.advance(1_000);
        expect(pair.clock.pending).toBe(0);
      }),
      { seed: 7, numRuns: 600 },
    );
  }, 60_000);
});

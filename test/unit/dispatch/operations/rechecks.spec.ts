import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';

import type { Deliberation } from '../../../../lib/dispatch/access/deliberation.js';
import { Rechecks, type Rechecked } from '../../../../lib/dispatch/operations/rechecks.js';
import { McpError } from '../../../../lib/errors/mcp.error.js';
import { Gate } from '../../../support/gate.js';
import { ManualClock } from '../../../support/manual-clock.js';

const RECHECK_MS = 60_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A subject of rechecks; the test decides when each check ends. */
class Judged implements Rechecked {
  readonly rounds: { readonly end: Gate; readonly deliberation: Deliberation }[] = [];
  readonly errors: unknown[] = [];
  readonly contexts: unknown[] = [];

  constructor(private readonly context?: AsyncLocalStorage<string>) {}

  async judge(deliberation: Deliberation): Promise<void> {
    this.contexts.push(this.context?.getStore());
    const end = new Gate();
    this.rounds.push({ end, deliberation });
    await end.opened;
  }

  fail(error: unknown): void {
    this.errors.push(error);
  }

  get began(): number {
    return this.rounds.length;
  }

  async end(): Promise<void> {
    this.rounds.at(-1)?.end.open();
    await turn();
  }
}

interface Scene {
  readonly clock: ManualClock;
  readonly rechecks: Rechecks;
  readonly pass: (ms: number) => Promise<void>;
}

/** Its timers run in the async context in which they were created, like timers of Node. */
function sceneOf(random = (): number => 0): Scene {
  const clock = new ManualClock();
  const bound = { after: (delayMs: number, run: () => void) => clock.after(delayMs, AsyncResource.bind(run)) };
  return {
    clock,
    rechecks: new Rechecks({ recheckMs: RECHECK_MS, clock: bound, random }),
    pass: async (ms) => {
      clock.advance(ms);
      await turn();
    },
  };
}

describe('rechecks of one subscription', () => {
  it('are disabled without an interval', () => {
    expect(new Rechecks({ recheckMs: undefined, clock: new ManualClock() }).isOn).toBe(false);
    expect(sceneOf().rechecks.isOn).toBe(true);
  });

  it('start one interval after the end of the previous recheck, so that they do not overlap', async () => {
    const { rechecks, pass } = sceneOf();
    const judged = new Judged();
    rechecks.begin(judged);
    await pass(RECHECK_MS - 1);
    expect(judged.began).toBe(0);
    await pass(1);
    expect(judged.began).toBe(1);
    await pass(29_999);
    expect(judged.began).toBe(1);
    await judged.end();
    await pass(RECHECK_MS - 1);
    expect(judged.began).toBe(1);
    await pass(1);
    expect(judged.began).toBe(2);
  });

  it('are spread over a quarter of the interval', () => {
    const shares = [0, 0.5, 0.999];
    const { rechecks, clock } = sceneOf(() => shares.shift() ?? 0);
    for (let count = 0; count < 3; count += 1) rechecks.begin(new Judged());
    expect(clock.delays).toEqual([60_000, 52_500, 45_015]);
  });

  it('are cancelled after half a minute', async () => {
    const { rechecks, clock, pass } = sceneOf();
    const judged = new Judged();
    const recheck = rechecks.begin(judged);
    await pass(RECHECK_MS);
    await pass(29_999);
    expect([judged.errors, judged.rounds[0]?.deliberation.isOver]).toEqual([[], false]);
    await pass(1);
    expect(judged.errors).toEqual([expect.any(McpError)]);
    expect(judged.rounds[0]?.deliberation.isOver).toBe(true);
    recheck.stop();
    await turn();
    expect(clock.pending).toBe(0);
  });

  it('report an error, and continue unless they are stopped', async () => {
    const { rechecks, pass } = sceneOf();
    const errors: unknown[] = [];
    const broken = new Error('broken');
    rechecks.begin({ judge: () => Promise.reject(broken), fail: (error) => errors.push(error) });
    await pass(RECHECK_MS);
    await pass(RECHECK_MS);
    expect(errors).toEqual([broken, broken]);
  });
});

describe('the end of rechecks', () => {
  it('is immediate between two rechecks', async () => {
    const { rechecks, clock, pass } = sceneOf();
    const judged = new Judged();
    const recheck = rechecks.begin(judged);
    recheck.stop();
    recheck.stop();
    await pass(RECHECK_MS);
    expect([judged.began, clock.pending]).toEqual([0, 0]);
  });

  it('ends the running check and frees its slot, even when the check never ends', async () => {
    const { rechecks, clock, pass } = sceneOf();
    const hung = Array.from({ length: 4 }, () => new Judged());
    const recheck = hung.map((judged) => rechecks.begin(judged));
    await pass(RECHECK_MS);
    for (const one of recheck) one.stop();
    await turn();
    expect(hung.map(({ rounds }) => rounds[0]?.deliberation.isOver)).toEqual([true, true, true, true]);
    expect(clock.pending).toBe(0);
    const next = new Judged();
    rechecks.begin(next);
    await pass(RECHECK_MS);
    expect(next.began).toBe(1);
  });

  it('is immediate while a recheck waits for a slot, or has just got a slot', async () => {
    const { rechecks, pass } = sceneOf();
    const all = Array.from({ length: 7 }, () => new Judged());
    const stops = all.map((judged) => rechecks.begin(judged));
    await pass(RECHECK_MS);
    stops[4]?.stop();
    all[0]?.rounds[0]?.end.open();
    await Promise.resolve();
    stops[5]?.stop();
    await turn();
    expect(all.map(({ began }) => began)).toEqual([1, 1, 1, 1, 0, 0, 1]);
  });
});

describe('rechecks of many subscriptions', () => {
  it('run four at the same time, and the others in turn', async () => {
    const { rechecks, pass } = sceneOf();
    const all = Array.from({ length: 10 }, () => new Judged());
    for (const judged of all) rechecks.begin(judged);
    await pass(RECHECK_MS);
    const began = (): number[] => all.flatMap((judged, index) => (judged.began > 0 ? [index] : []));
    expect(began()).toEqual([0, 1, 2, 3]);
    await all[2]?.end();
    expect(began()).toEqual([0, 1, 2, 3, 4]);
    await all[0]?.end();
    expect(began()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const judged of all) await judged.end();
    for (const judged of all) await judged.end();
    expect(all.map((judged) => judged.began)).toEqual(Array(10).fill(1));
    await pass(RECHECK_MS);
    expect(all.filter((judged) => judged.began === 2)).toHaveLength(4);
  });

  it('run in the async context in which they began, also when another subscription frees the slot', async () => {
    const storage = new AsyncLocalStorage<string>();
    const { rechecks, pass } = sceneOf();
    const all = Array.from({ length: 9 }, () => new Judged(storage));
    for (const [index, judged] of all.entries()) storage.run(`request ${index}`, () => rechecks.begin(judged));
    for (let round = 0; round < 2; round += 1) {
      await pass(RECHECK_MS);
      for (let count = 0; count < 3; count += 1) for (const judged of all) await judged.end();
    }
    expect(all.map(({ contexts }) => contexts)).toEqual(all.map((_judged, index) => Array(2).fill(`request ${index}`)));
  });
});

import type { JobEnd, JobKey, Lane } from '../../../lib/execution/job.js';

export interface ModelLimits {
  readonly maxConcurrency: number;
  readonly maxQueue: number;
  readonly maxPerOwner: number;
  readonly maxQueuedPerOwner: number;
  readonly abandonAfterMs: number;
  readonly maxAbandoned: number;
}

/** How a job behaves: it settles inside `start`, inside `stop`, when it is told to finish, or its `start` throws. */
export type Manner = 'instant' | 'obedient' | 'deaf' | 'broken';

export interface ModelJob {
  readonly name: string;
  readonly lane: Lane;
  readonly owner: string | undefined;
  readonly key: JobKey | undefined;
  readonly timeoutMs: number;
  readonly manner: Manner;
}

type State = 'waiting' | 'running' | 'ending' | 'abandoned' | 'over';

interface Row extends ModelJob {
  state: State;
  dueAt: number;
  beganAs: number;
}

/** What an executor should do, told without regard for speed: every question is asked of one list of jobs. */
export class ExecutorModel {
  readonly log: string[] = [];
  private rows: Row[] = [];
  private now = 0;
  private closed = false;
  private begun = 0;
  /** Owners that could use a place, by whose turn it is. */
  private turns: (string | undefined)[] = [];

  constructor(private readonly limits: ModelLimits) {}

  get counts(): readonly number[] {
    const owners = this.rows.filter(
      ({ owner, state }) => owner !== undefined && state !== 'over' && state !== 'abandoned',
    );
    return [
      this.placed().length,
      this.inState('waiting').length,
      this.inState('abandoned').length,
      new Set(owners.map(({ owner }) => owner)).size,
    ];
  }

  submit(job: ModelJob): string {
    if (this.closed) return 'closed';
    if (job.key !== undefined && this.findKey(job.key) !== undefined) return 'duplicate-key';
    const row: Row = { ...job, state: 'waiting', dueAt: this.now + job.timeoutMs, beganAs: 0 };
    if (job.lane === 'work') {
      if (this.inState('abandoned').length >= this.limits.maxAbandoned) return 'overloaded';
      const free = this.placed().length < this.limits.maxConcurrency && this.hasShare(job.owner);
      const queue = this.inState('waiting');
      const own = queue.filter(({ owner }) => owner !== undefined && owner === job.owner);
      if (!free && (queue.length >= this.limits.maxQueue || own.length >= this.limits.maxQueuedPerOwner)) {
        if (queue.length >= this.limits.maxQueue || job.owner !== undefined) return 'overloaded';
      }
      if (!free) {
        this.rows.push(row);
        this.settle();
        return 'taken';
      }
    }
    this.rows.push(row);
    if (!this.begin(row)) return 'thrown';
    this.settle();
    return 'taken';
  }

  finish(name: string): void {
    this.rows.filter((row) => row.name === name).forEach((row) => (row.state = 'over'));
    this.settle();
  }

  cancel(key: JobKey): boolean {
    const row = this.findKey(key);
    if (row !== undefined) this.end(row, 'cancelled');
    this.settle();
    return row !== undefined;
  }

  cancelOne(name: string): void {
    for (const row of this.live().filter((live) => live.name === name)) this.end(row, 'owner-gone');
    this.settle();
  }

  cancelOwner(owner: string | undefined): number {
    const rows = this.live().filter((row) => owner !== undefined && row.owner === owner);
    for (const row of rows) this.end(row, 'owner-gone');
    this.settle();
    return rows.length;
  }

  close(): void {
    this.closed = true;
    for (const row of this.live()) this.end(row, 'closed');
    this.settle();
  }

  stall(ms: number): void {
    this.now += ms;
  }

  advance(ms: number): void {
    const until = this.now + ms;
    const timed = (): Row[] =>
      this.closed ? [] : this.rows.filter(({ state }) => state !== 'abandoned' && state !== 'over');
    for (;;) {
      const next = Math.min(...timed().map(({ dueAt }) => dueAt));
      if (next > until) break;
      this.now = Math.max(this.now, next);
      const due = timed().filter(({ dueAt }) => dueAt <= this.now);
      for (const row of due.filter(({ state }) => state === 'ending')) {
        row.state = 'abandoned';
        this.review();
      }
      for (const row of due.filter(({ state }) => state !== 'abandoned')) this.end(row, 'deadline');
      this.settle();
    }
    this.now = until;
  }

  private inState(state: State): Row[] {
    return this.rows.filter((row) => row.state === state);
  }

  /** Those that began, in that order, then those that wait. */
  private live(): Row[] {
    return this.rows
      .filter(({ state }) => state === 'waiting' || state === 'running')
      .toSorted((one, other) => (one.beganAs || Infinity) - (other.beganAs || Infinity) || 0);
  }

  private placed(): Row[] {
    return this.rows.filter(({ lane, state }) => lane === 'work' && (state === 'running' || state === 'ending'));
  }

  private hasShare(owner: string | undefined): boolean {
    if (owner === undefined) return true;
    return this.placed().filter((row) => row.owner === owner).length < this.limits.maxPerOwner;
  }

  private findKey(key: JobKey): Row | undefined {
    return this.live().find((row) => row.key !== undefined && row.key.scope === key.scope && row.key.id === key.id);
  }

  private end(row: Row, end: JobEnd): void {
    this.log.push(`stop ${row.name} ${end}`);
    const settles = row.state === 'waiting' || row.lane !== 'work' || row.manner === 'obedient';
    row.state = settles ? 'over' : 'ending';
    row.dueAt = this.now + this.limits.abandonAfterMs;
    this.review();
  }

  /** False when `start` throws. */
  private begin(row: Row): boolean {
    this.begun += 1;
    row.beganAs = this.begun;
    row.state = 'running';
    this.log.push(`start ${row.name}`);
    this.turns = this.turns.filter((owner) => owner !== row.owner || row.lane !== 'work');
    this.review();
    if (row.manner === 'instant' || row.manner === 'broken') row.state = 'over';
    this.review();
    return row.manner !== 'broken';
  }

  /** Keeps the order of those that are still in turn, and puts newcomers behind them. */
  private review(): void {
    const ready = [...new Set(this.inState('waiting').map(({ owner }) => owner))].filter((owner) =>
      this.hasShare(owner),
    );
    this.turns = this.turns.filter((owner) => ready.includes(owner));
    this.turns.push(...ready.filter((owner) => !this.turns.includes(owner)));
  }

  private settle(): void {
    this.rows = this.rows.filter(({ state }) => state !== 'over');
    this.review();
    while (!this.closed && this.turns.length > 0 && this.placed().length < this.limits.maxConcurrency) {
      const [owner] = this.turns;
      const row = this.inState('waiting').find((waiting) => waiting.owner === owner);
      if (row === undefined) throw new Error('an owner is in turn with nothing that waits');
      if (row.dueAt <= this.now) this.end(row, 'deadline');
      else if (!this.begin(row)) this.log.push(`stop ${row.name} closed`);
    }
  }
}

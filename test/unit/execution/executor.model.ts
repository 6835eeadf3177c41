import { CONTROL_LIMITS, type PlaceLimits } from '../../../lib/execution/executor-limits.js';
import type { JobEnd, JobKey, Lane } from '../../../lib/execution/job.js';

export interface ModelLimits {
  readonly maxConcurrency: number;
  readonly maxQueue: number;
  readonly maxPerOwner: number;
  readonly maxQueuedPerOwner: number;
  readonly abandonAfterMs: number;
  readonly maxAbandoned: number;
}

/** How a job behaves: it settles inside `start`, inside `stop`, or only at the call of `finish`, or its `start` throws. */
export type Manner = 'instant' | 'obedient' | 'deaf' | 'broken';

export interface ModelJob {
  readonly name: string;
  readonly lane: Lane;
  readonly owner: string | undefined;
  readonly key: JobKey | undefined;
  readonly timeoutMs: number;
  readonly manner: Manner;
}

type State = 'waiting' | 'running' | 'ending' | 'stuck' | 'abandoned' | 'over';
type Pool = 'work' | 'control';

interface Row extends ModelJob {
  state: State;
  dueAt: number;
  beganAs: number;
  /** An open stream occupies no place. */
  isOpen: boolean;
}

/** The owners in turn for one kind of places. */
interface Turns {
  identified: (string | undefined)[];
  anonymous: (string | undefined)[];
  untilAnonymous: number;
}

const poolOf = ({ lane }: ModelJob): Pool => (lane === 'work' ? 'work' : 'control');

/** Owners whose name begins with `n` are anonymous in this test. */
export const isAnonymous = (owner: string | undefined): boolean => owner === undefined || owner.startsWith('n');

const threeQuarters = (limit: number): number => limit - Math.floor(limit / 4);

/** The expected behaviour of an executor, without regard for speed: every decision searches one list of jobs. */
export class ExecutorModel {
  readonly log: string[] = [];
  private rows: Row[] = [];
  private now = 0;
  private closed = false;
  private begun = 0;
  private hasIdentified = false;
  /** Jobs that keep their place because too many are abandoned, in the order of their abandonment time. */
  private stuck: Row[] = [];
  private readonly turns: Record<Pool, Turns> = {
    work: { identified: [], anonymous: [], untilAnonymous: 0 },
    control: { identified: [], anonymous: [], untilAnonymous: 0 },
  };

  private readonly places: Record<Pool, PlaceLimits>;

  constructor(private readonly limits: ModelLimits) {
    this.places = { work: limits, control: CONTROL_LIMITS };
  }

  get counts(): readonly number[] {
    const owners = this.rows.filter(({ owner, state }) => owner !== undefined && state !== 'over');
    return [
      this.placed('work').length,
      this.waiting('work').length,
      this.placed('control').length,
      this.waiting('control').length,
      this.inState('abandoned').length,
      new Set(owners.map(({ owner }) => owner)).size,
    ];
  }

  submit(job: ModelJob): string {
    if (this.closed) return 'closed';
    if (job.key !== undefined && this.findKey(job.key) !== undefined) return 'duplicate-key';
    const row: Row = { ...job, state: 'waiting', dueAt: this.now + job.timeoutMs, beganAs: 0, isOpen: false };
    const { owner } = job;
    const pool = poolOf(job);
    if (this.hasPlace(pool, owner)) {
      this.enter(row);
      if (!this.begin(row)) return 'thrown';
      this.settle();
      return 'taken';
    }
    const own = this.waiting(pool).filter((other) => other.owner === owner);
    if (owner !== undefined) {
      if (this.ofOwner(pool, owner, 'abandoned').length >= this.places[pool].maxPerOwner) return 'overloaded';
      if (own.length >= this.places[pool].maxQueuedPerOwner) return 'overloaded';
    }
    if (this.waiting(pool).length >= this.places[pool].maxQueue) {
      const victim = this.victimFor(pool, owner, own.length);
      if (victim === undefined) return 'overloaded';
      victim.state = 'over';
      this.log.push(`stop ${victim.name} displaced`);
      this.review();
    }
    this.enter(row);
    this.settle();
    return 'taken';
  }

  finish(name: string): void {
    for (const row of this.rows.filter((other) => other.name === name)) {
      const was = row.state;
      row.state = 'over';
      this.stuck = this.stuck.filter((other) => other !== row);
      this.review();
      const next = was === 'abandoned' ? this.stuck.find((other) => this.mayAbandon(other)) : undefined;
      if (next !== undefined) this.abandon(next);
    }
    this.settle();
  }

  open(name: string): void {
    for (const row of this.rows.filter((other) => other.name === name)) {
      if (row.lane !== 'stream' || row.state !== 'running') continue;
      row.isOpen = true;
      row.dueAt = Infinity;
    }
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
      this.closed ? [] : this.rows.filter(({ state }) => ['waiting', 'running', 'ending'].includes(state));
    for (;;) {
      const next = Math.min(...timed().map(({ dueAt }) => dueAt));
      if (next > until) break;
      this.now = Math.max(this.now, next);
      const due = timed().filter(({ dueAt }) => dueAt <= this.now);
      for (const row of inOrder(due.filter(({ state }) => state === 'ending'))) {
        if (this.mayAbandon(row)) this.abandon(row);
        else {
          row.state = 'stuck';
          this.stuck.push(row);
        }
      }
      for (const row of due.filter(({ state }) => state === 'waiting' || state === 'running'))
        this.end(row, 'deadline');
      this.settle();
    }
    this.now = until;
  }

  private enter(row: Row): void {
    this.rows.push(row);
    if (!isAnonymous(row.owner)) this.hasIdentified = true;
  }

  private inState(state: State): Row[] {
    return this.rows.filter((row) => row.state === state);
  }

  private waiting(pool: Pool): Row[] {
    return this.inState('waiting').filter((row) => poolOf(row) === pool);
  }

  private ofOwner(pool: Pool, owner: string | undefined, state: State): Row[] {
    return this.inState(state).filter((row) => row.owner === owner && poolOf(row) === pool);
  }

  /** The running jobs in the order of their start, and then the waiting jobs. */
  private live(): Row[] {
    return inOrder(this.rows.filter(({ state }) => state === 'waiting' || state === 'running'));
  }

  private placed(pool: Pool): Row[] {
    return this.rows.filter(
      (row) => poolOf(row) === pool && !row.isOpen && ['running', 'ending', 'stuck'].includes(row.state),
    );
  }

  private hasShare(pool: Pool, owner: string | undefined): boolean {
    if (owner === undefined) return true;
    const running = this.placed(pool).filter((row) => row.owner === owner);
    return running.length + this.ofOwner(pool, owner, 'abandoned').length < this.places[pool].maxPerOwner;
  }

  private hasPlaceForAnonymous(pool: Pool): boolean {
    const anonymous = this.placed(pool).filter(({ owner }) => isAnonymous(owner));
    return !this.hasIdentified || anonymous.length < threeQuarters(this.places[pool].maxConcurrency);
  }

  private hasPlace(pool: Pool, owner: string | undefined): boolean {
    return (
      this.placed(pool).length < this.places[pool].maxConcurrency &&
      this.hasShare(pool, owner) &&
      this.nextOwner(pool) === 'none' &&
      (!isAnonymous(owner) || this.hasPlaceForAnonymous(pool))
    );
  }

  private nextOwner(pool: Pool): { readonly owner: string | undefined } | 'none' {
    const { identified, anonymous, untilAnonymous } = this.turns[pool];
    const mayAnonymous = anonymous.length > 0 && this.hasPlaceForAnonymous(pool);
    if (mayAnonymous && (identified.length === 0 || untilAnonymous === 0)) return { owner: anonymous[0] };
    return identified.length > 0 ? { owner: identified[0] } : 'none';
  }

  /** The newest job of the owner with the most jobs in a full queue; `tieBreak` chooses among several such owners. */
  private victimFor(pool: Pool, newcomer: string | undefined, own: number): Row | undefined {
    const queue = this.waiting(pool);
    const anonymous = queue.filter(({ owner }) => isAnonymous(owner));
    const yields = !isAnonymous(newcomer) && anonymous.length > 0;
    const among =
      yields || (isAnonymous(newcomer) && anonymous.length * 2 >= this.places[pool].maxQueue) ? anonymous : queue;
    const sizes = new Map<string | undefined, number>();
    for (const { owner } of among) sizes.set(owner, (sizes.get(owner) ?? 0) + 1);
    const most = Math.max(0, ...sizes.values());
    if (!yields && most <= own + 1) return undefined;
    const candidates = [...sizes].filter(([, size]) => size === most).map(([owner]) => owner);
    const chosen = this.tieBreak(candidates);
    return queue.filter(({ owner }) => owner === chosen).at(-1);
  }

  /** The choice among owners with equally many jobs is not specified: the test sets the choice of the executor. */
  tieBreak: (candidates: readonly (string | undefined)[]) => string | undefined = ([first]) => first;

  private mayAbandon({ owner, lane }: Row): boolean {
    const abandoned = this.inState('abandoned');
    const { maxAbandoned } = this.limits;
    if (abandoned.length >= maxAbandoned) return false;
    const pool = lane === 'work' ? 'work' : 'control';
    if (owner !== undefined && this.ofOwner(pool, owner, 'abandoned').length >= Math.ceil(maxAbandoned / 2))
      return false;
    const anonymous = abandoned.filter((row) => isAnonymous(row.owner));
    return !isAnonymous(owner) || !this.hasIdentified || anonymous.length < threeQuarters(maxAbandoned);
  }

  private abandon(row: Row): void {
    this.stuck = this.stuck.filter((other) => other !== row);
    row.state = 'abandoned';
    this.review();
  }

  private findKey(key: JobKey): Row | undefined {
    return this.live().find((row) => row.key !== undefined && row.key.scope === key.scope && row.key.id === key.id);
  }

  private end(row: Row, end: JobEnd): void {
    this.log.push(`stop ${row.name} ${end}`);
    const settles = row.state === 'waiting' || row.isOpen || row.manner === 'obedient';
    row.state = settles ? 'over' : 'ending';
    row.dueAt = this.now + this.limits.abandonAfterMs;
    this.review();
  }

  /** Returns false when `start` throws. */
  private begin(row: Row): boolean {
    const turns = this.turns[poolOf(row)];
    this.begun += 1;
    row.beganAs = this.begun;
    row.state = 'running';
    this.log.push(`start ${row.name}`);
    const list = isAnonymous(row.owner) ? 'anonymous' : 'identified';
    if (turns[list].includes(row.owner)) {
      turns[list] = turns[list].filter((owner) => owner !== row.owner);
      turns.untilAnonymous = list === 'anonymous' ? turns.identified.length : Math.max(0, turns.untilAnonymous - 1);
    }
    this.review();
    if (row.manner === 'instant' || row.manner === 'broken') row.state = 'over';
    this.review();
    return row.manner !== 'broken';
  }

  /** Keeps the order of the owners that are still in turn, and adds new owners behind them. */
  private review(): void {
    for (const pool of ['work', 'control'] as const) {
      const turns = this.turns[pool];
      const ready = [...new Set(this.waiting(pool).map(({ owner }) => owner))].filter((owner) =>
        this.hasShare(pool, owner),
      );
      for (const list of ['identified', 'anonymous'] as const) {
        const own = ready.filter((owner) => isAnonymous(owner) === (list === 'anonymous'));
        turns[list] = turns[list].filter((owner) => own.includes(owner));
        turns[list].push(...own.filter((owner) => !turns[list].includes(owner)));
      }
    }
  }

  private settle(): void {
    this.rows = this.rows.filter(({ state }) => state !== 'over');
    this.review();
    for (let next = this.next(); next !== undefined; next = this.next()) {
      if (next.dueAt <= this.now) this.end(next, 'deadline');
      else if (!this.begin(next)) this.log.push(`stop ${next.name} closed`);
    }
  }

  private next(): Row | undefined {
    if (this.closed) return undefined;
    for (const pool of ['work', 'control'] as const) {
      if (this.placed(pool).length >= this.places[pool].maxConcurrency) continue;
      const next = this.nextOwner(pool);
      if (next === 'none') continue;
      const row = this.waiting(pool).find(({ owner }) => owner === next.owner);
      if (row === undefined) throw new Error('an owner is in turn with nothing that waits');
      return row;
    }
    return undefined;
  }
}

function inOrder(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (one.beganAs || Infinity) - (other.beganAs || Infinity) || 0);
}

import type { Clock } from '../../lib/execution/clock.js';

interface Alarm {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that a test moves itself, instead of a sleep. */
export class ManualClock implements Clock {
  /** Every delay that was asked for. */
  readonly delays: number[] = [];
  private time = 0;
  private alarms: Alarm[] = [];

  /** Timers that are armed. */
  get pending(): number {
    return this.alarms.length;
  }

  now(): number {
    return this.time;
  }

  after(delayMs: number, run: () => void): () => void {
    const alarm = { at: this.time + delayMs, run };
    this.delays.push(delayMs);
    this.alarms.push(alarm);
    return () => this.remove(alarm);
  }

  /** Lets time pass, with every timer at its moment. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (let next = this.nextUntil(end); next !== undefined; next = this.nextUntil(end)) {
      this.time = Math.max(this.time, next.at);
      this.remove(next);
      next.run();
    }
    this.time = end;
  }

  /** Lets time pass as a busy event loop does: no timer runs. */
  stall(ms: number): void {
    this.time += ms;
  }

  private nextUntil(end: number): Alarm | undefined {
    const due = this.alarms.filter(({ at }) => at <= end);
    return due.toSorted((one, other) => one.at - other.at)[0];
  }

  private remove(alarm: Alarm): void {
    this.alarms = this.alarms.filter((other) => other !== alarm);
  }
}

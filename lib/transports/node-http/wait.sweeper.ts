import { AsyncResource } from 'node:async_hooks';

import { Logger } from '@nestjs/common';

import { logWithReference } from '../../errors/failure.log.js';

/** A request that waits for code of the app. */
export interface Wait {
  /** When it began, by `performance.now()`. */
  since: number;
}

export interface WaitRules<W extends Wait> {
  /** Whether nobody waits any more: the app has answered, or the client has left. */
  isOver(wait: W): boolean;
  /** Called once, when the time is up. */
  expire(wait: W): void;
}

/** How soon a wait that is over is forgotten. */
const LOOK_MS = 250;

/** One timer for all waits of an endpoint; it stops by itself once there are none. */
export class WaitSweeper<W extends Wait> {
  private readonly waits = new Set<W>();
  private timer: NodeJS.Timeout | undefined;
  private readonly logger = new Logger('McpModule');
  /** Answers are written in the context of the app, not in that of the request that came first. */
  private readonly home = new AsyncResource('nestjs-mcp.waits');

  constructor(
    private readonly limitMs: number,
    private readonly rules: WaitRules<W>,
  ) {}

  add(wait: W): void {
    if (this.limitMs === Infinity) return;
    wait.since = performance.now();
    this.waits.add(wait);
    if (this.timer === undefined) this.arm(Math.min(LOOK_MS, this.limitMs));
  }

  delete(wait: W): void {
    this.waits.delete(wait);
  }

  private arm(delayMs: number): void {
    this.timer = this.home.runInAsyncScope(() => setTimeout(() => this.sweep(), delayMs).unref());
  }

  private sweep(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const wait of this.waits) {
      const isDue = now - wait.since >= this.limitMs;
      if (!isDue && !this.rules.isOver(wait)) continue;
      this.waits.delete(wait);
      if (isDue) this.expire(wait);
    }
    // The first is the oldest, since all have the same time.
    const [oldest] = this.waits;
    if (oldest !== undefined) this.arm(Math.max(1, Math.min(LOOK_MS, Math.ceil(oldest.since + this.limitMs - now))));
  }

  /** A timer must not throw. */
  private expire(wait: W): void {
    try {
      if (!this.rules.isOver(wait)) this.rules.expire(wait);
    } catch (error) {
      logWithReference(this.logger, 'A request that took too long could not be answered', error);
    }
  }
}

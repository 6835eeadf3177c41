import { McpError } from '../../errors/mcp.error.js';
import { SILENT_LINK } from '../calls/call-link.js';
import { Deliberation } from '../access/deliberation.js';
import { unlessLeft } from '../calls/pending-runs.js';

/** How often the access of open subscriptions is rechecked. */
export interface RecheckOptions {
  /** Maximum pause between two rechecks of one subscription, in milliseconds; `undefined` for no rechecks. */
  readonly recheckMs: number | undefined;
  /** Calls `run` in the async context of the caller; returns a function that cancels the timer. */
  readonly clock: { after(delayMs: number, run: () => void): () => void };
  /** Returns a number from 0 to 1. */
  readonly random?: () => number;
}

/** A subscription whose access is rechecked. */
export interface Rechecked {
  /** Rechecks the access and applies the result, unless the deliberation is over by then. */
  judge(deliberation: Deliberation): Promise<void>;
  /** Called when the recheck failed or took too long. */
  fail(error: unknown): void;
}

/** Concurrent rechecks per server, since each may query a database, and thousands of subscriptions can be open. */
const MAX_AT_ONCE = 4;

/** Part of the interval over which rechecks are spread, since many clients may connect at once, for instance after a restart. */
const SPREAD = 0.25;

/** Time limit of one recheck, which would otherwise block the others if it never ended. */
const LONGEST_ROUND_MS = 30_000;

/** Schedules the rechecks of all open subscriptions of a server: a few run at the same time, the others are queued. */
export class Rechecks {
  private running = 0;
  private readonly waiting = new Map<Recheck, () => void>();

  constructor(private readonly options: RecheckOptions) {}

  get isOn(): boolean {
    return this.options.recheckMs !== undefined;
  }

  /** Starts the rechecks of a subscription, in the async context of the caller, until they are stopped. */
  begin(rechecked: Rechecked): Recheck {
    const recheck = new Recheck(rechecked, this);
    recheck.rest();
    return recheck;
  }

  /** Calls `run` when the next round is due. */
  afterRest(run: () => void): () => void {
    const { recheckMs = Infinity, clock, random = Math.random } = this.options;
    return clock.after(Math.ceil(recheckMs * (1 - SPREAD * random())), run);
  }

  /** Calls `run` when a round takes too long. */
  afterRound(run: () => void): () => void {
    return this.options.clock.after(LONGEST_ROUND_MS, run);
  }

  /** Resolves when the recheck may run. Code that awaits it continues in its own async context. */
  async enter(recheck: Recheck): Promise<void> {
    if (this.running >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.waiting.set(recheck, resolve));
    else this.running += 1;
  }

  /** Lets the recheck run that has waited longest. */
  leave(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.running -= 1;
      return;
    }
    const [recheck, enter] = next;
    this.forget(recheck);
    enter();
  }

  forget(recheck: Recheck): void {
    this.waiting.delete(recheck);
  }
}

/** The rechecks of one subscription, one after another. */
export class Recheck {
  private rechecked: Rechecked | undefined;
  private cancelTimer: (() => void) | undefined;
  private deliberation: Deliberation | undefined;
  private leave: (() => void) | undefined;

  constructor(
    rechecked: Rechecked,
    private readonly all: Rechecks,
  ) {
    this.rechecked = rechecked;
  }

  /** Waits for the next round. */
  rest(): void {
    this.cancelTimer = this.all.afterRest(() => void this.round());
  }

  /** Stops the rechecks and drops the subscription; may be called repeatedly. */
  stop(): void {
    this.rechecked = undefined;
    this.cancelTimer?.();
    this.all.forget(this);
    this.deliberation?.cancel('client-gone');
    this.leave?.();
  }

  private async round(): Promise<void> {
    await this.all.enter(this);
    const { rechecked } = this;
    try {
      if (rechecked !== undefined) await this.judge(rechecked);
    } catch (error) {
      rechecked?.fail(error);
    } finally {
      this.all.leave();
    }
    if (this.rechecked !== undefined) this.rest();
  }

  private async judge(rechecked: Rechecked): Promise<void> {
    const deliberation = new Deliberation(SILENT_LINK);
    this.deliberation = deliberation;
    const cancelTimer = this.all.afterRound(() => {
      deliberation.cancel('deadline');
      rechecked.fail(new McpError('MCP_RECHECK_TIMEOUT', 'The recheck of a subscription took too long.'));
    });
    this.cancelTimer = cancelTimer;
    try {
      await unlessLeft(rechecked.judge(deliberation), (leave) => {
        this.leave = leave;
      });
    } finally {
      cancelTimer();
      this.deliberation = undefined;
      this.leave = undefined;
    }
  }
}

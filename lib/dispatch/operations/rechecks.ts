import { McpError } from '../../errors/mcp.error.js';
import { SILENT_LINK } from '../calls/call-link.js';
import { Deliberation } from '../access/deliberation.js';
import { unlessLeft } from '../calls/pending-runs.js';

/** How often open subscriptions are judged again. */
export interface RecheckOptions {
  /** At most so many milliseconds of rest between two rounds of one subscription; `undefined` for no rounds at all. */
  readonly recheckMs: number | undefined;
  /** Runs in the async context in which it is asked to; returns what calls it off. */
  readonly clock: { after(delayMs: number, run: () => void): () => void };
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** What is judged again and again. */
export interface Rechecked {
  /** Acts on what it finds, unless the deliberation is over by then. */
  judge(deliberation: Deliberation): Promise<void>;
  /** It could not be judged, or not in time. */
  fail(error: unknown): void;
}

/** So many of one server at a time, since each may ask a database, and thousands can be open. */
const MAX_AT_ONCE = 4;

/** Clients that came at the same time, after a restart for instance, are spread over so much of the interval. */
const SPREAD = 0.25;

/** What does not come to an end would keep its place from the others. */
const LONGEST_ROUND_MS = 30_000;

/** The rounds of all open subscriptions of a server: a few at the same time, the others in turn. */
export class Rechecks {
  private running = 0;
  private readonly waiting = new Map<Recheck, () => void>();

  constructor(private readonly options: RecheckOptions) {}

  get isOn(): boolean {
    return this.options.recheckMs !== undefined;
  }

  /** Judges it from now on, in the async context of whoever calls this, until it is stopped. */
  begin(rechecked: Rechecked): Recheck {
    const recheck = new Recheck(rechecked, this);
    recheck.rest();
    return recheck;
  }

  /** Runs when the next round is due. */
  afterRest(run: () => void): () => void {
    const { recheckMs = Infinity, clock, random = Math.random } = this.options;
    return clock.after(Math.ceil(recheckMs * (1 - SPREAD * random())), run);
  }

  /** Runs when a round takes too long. */
  afterRound(run: () => void): () => void {
    return this.options.clock.after(LONGEST_ROUND_MS, run);
  }

  /** Settles when it has a place; whoever awaits it goes on in its own async context. */
  async enter(recheck: Recheck): Promise<void> {
    if (this.running >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.waiting.set(recheck, resolve));
    else this.running += 1;
  }

  /** The place is for the one that has waited longest. */
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

/** The rounds of one subscription, each of which begins after the one before has ended. */
export class Recheck {
  private rechecked: Rechecked | undefined;
  private callOff: (() => void) | undefined;
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
    this.callOff = this.all.afterRest(() => void this.round());
  }

  /** Harmless to repeat; what was judged is not held any more. */
  stop(): void {
    this.rechecked = undefined;
    this.callOff?.();
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
    const callOff = this.all.afterRound(() => {
      deliberation.cancel('deadline');
      rechecked.fail(new McpError('MCP_RECHECK_TIMEOUT', 'A subscription could not be judged again in time.'));
    });
    this.callOff = callOff;
    try {
      await unlessLeft(rechecked.judge(deliberation), (leave) => {
        this.leave = leave;
      });
    } finally {
      callOff();
      this.deliberation = undefined;
      this.leave = undefined;
    }
  }
}

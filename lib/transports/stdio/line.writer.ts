import type { RequestId } from '../../wire/json-rpc.js';
import { encodeLine, LineQueue, type LineBatch, type WaitingLine } from './line.queue.js';

/** The output: a stream or a replacement in tests. */
export interface LineOutput {
  /** Bytes that were not passed to the operating system yet. */
  readonly writableLength: number;
  write(text: string, encoding: BufferEncoding, taken: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** Runs a function later; returns a function that cancels it. */
export interface Alarm {
  after(delayMs: number, run: () => void): () => void;
}

export interface LineWriterLimits {
  /** Time limit for one write, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Number of waiting bytes above which the writer is congested. */
  readonly maxQueuedBytes: number;
}

/** Maximum size of a write: small, so that progress of a slow reader is visible. */
const WRITE_BYTES = 131_072;

const systemAlarm: Alarm = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Writes whole lines to an output, one write at a time. An error, or a reader that reads nothing for too long, ends the
 * writer; nothing is retried. The output itself is never closed.
 */
export class LineWriter {
  /** Called once, when writing has ended. */
  onFailure: (error: Error) => void = () => undefined;
  /** Called when the congestion ends. */
  onRelief: () => void = () => undefined;
  private readonly queue = new LineQueue();
  private readonly whenIdle = new Set<() => void>();
  private error: Error | undefined;
  private batch: LineBatch | undefined;
  private isScheduled = false;
  private congested = false;
  private callOff: (() => void) | undefined;

  constructor(
    private readonly output: LineOutput,
    private readonly limits: LineWriterLimits,
    private readonly alarm: Alarm = systemAlarm,
  ) {
    output.on('error', this.fail);
    output.on('close', () => this.fail(new Error('The output was closed')));
  }

  /** Why writing has ended. */
  get failure(): Error | undefined {
    return this.error;
  }

  /** Whether too much is waiting; the source should pause until the congestion ends. */
  get isCongested(): boolean {
    return this.congested;
  }

  write(json: string, about?: RequestId, written?: () => void): void {
    if (this.error !== undefined) {
      written?.();
      return;
    }
    this.queue.add({ text: encodeLine(json), about, written, hasBegun: false });
    this.congested ||= this.queue.bytes > this.limits.maxQueuedBytes;
    if (this.batch !== undefined || this.isScheduled) return;
    this.isScheduled = true;
    // Answers that are ready in the same turn share one write.
    process.nextTick(this.writeNext);
  }

  /** Drops waiting lines of a cancelled request. */
  drop(about: RequestId): void {
    acknowledge(this.queue.remove(about));
  }

  /** Resolves when all lines are written, or writing has ended. */
  async idle(): Promise<void> {
    if (this.error !== undefined || (this.batch === undefined && this.queue.bytes === 0)) return;
    await new Promise<void>((resolve) => this.whenIdle.add(resolve));
  }

  private readonly writeNext = (): void => {
    this.isScheduled = false;
    if (this.error !== undefined) return;
    this.batch = this.queue.take(WRITE_BYTES);
    if (this.batch === undefined) {
      this.settle();
      return;
    }
    try {
      this.output.write(this.batch.text, 'latin1', this.taken);
    } catch (error) {
      this.fail(error);
      return;
    }
    // A pipe with free capacity has accepted the write synchronously.
    if (this.output.writableLength > 0) {
      this.callOff = this.alarm.after(this.limits.writeTimeoutMs, this.stalled);
    }
  };

  private readonly taken = (error?: Error | null): void => {
    if (error) {
      this.fail(error);
      return;
    }
    if (this.error !== undefined) return;
    this.stopWaiting();
    const { completes = [] } = this.batch ?? {};
    // Still set, so that lines of the callbacks are queued.
    acknowledge(completes);
    this.writeNext();
    if (!this.congested || this.queue.bytes > this.limits.maxQueuedBytes / 2) return;
    this.congested = false;
    this.onRelief();
  };

  private readonly stalled = (): void => {
    this.fail(new Error(`The reader of the output took nothing for ${this.limits.writeTimeoutMs} ms`));
  };

  private readonly fail = (error: unknown): void => {
    if (this.error !== undefined) return;
    this.error = error instanceof Error ? error : new Error(String(error));
    this.stopWaiting();
    const unwritten = [...(this.batch?.completes ?? []), ...this.queue.clear()];
    this.settle();
    // Ends the writer first, because the callbacks below may write more.
    this.onFailure(this.error);
    acknowledge(unwritten);
  };

  private stopWaiting(): void {
    this.callOff?.();
    this.callOff = undefined;
  }

  private settle(): void {
    this.batch = undefined;
    for (const resolve of this.whenIdle) resolve();
    this.whenIdle.clear();
  }
}

function acknowledge(lines: readonly WaitingLine[]): void {
  for (const { written } of lines) written?.();
}

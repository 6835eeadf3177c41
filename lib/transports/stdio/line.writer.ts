import type { RequestId } from '../../wire/json-rpc.js';
import { encodeLine, LineQueue, type LineBatch, type WaitingLine } from './line.queue.js';

/** What is written to: a stream, or what stands for one. */
export interface LineOutput {
  /** What the operating system has not taken yet. */
  readonly writableLength: number;
  write(text: string, encoding: BufferEncoding, taken: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** Runs something later; returns what calls it off. */
export interface Alarm {
  after(delayMs: number, run: () => void): () => void;
}

export interface LineWriterLimits {
  /** Milliseconds that the reader may take for one write. */
  readonly writeTimeoutMs: number;
  /** Waiting bytes from which on the writer says that it is congested. */
  readonly maxQueuedBytes: number;
}

/** One write; small enough that a reader who takes anything is seen to do so. */
const WRITE_BYTES = 131_072;

const systemAlarm: Alarm = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * The only one who writes to an output: whole lines, one write at a time. An error, or a reader that takes nothing for too
 * long, is the end of it; nothing is tried twice. The output itself is never closed.
 */
export class LineWriter {
  /** Called once, when nothing can be written any more. */
  onFailure: (error: Error) => void = () => undefined;
  /** Called when it is congested no longer. */
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

  /** Why nothing is written any more. */
  get failure(): Error | undefined {
    return this.error;
  }

  /** More waits than should: whoever causes it had better pause until relief. */
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
    // Answers that are ready at the same time leave in one write.
    process.nextTick(this.writeNext);
  }

  /** Forgets what waits for a request that nobody wants to hear about any more. */
  drop(about: RequestId): void {
    acknowledge(this.queue.remove(about));
  }

  /** Resolves when all is written, or nothing can be. */
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
    // A pipe with room has taken it by now.
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
    // Still set: what is written meanwhile waits its turn.
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
    // First ends what writes, or the acknowledgements below would only ask it for more.
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

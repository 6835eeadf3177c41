import { EventEmitter } from 'node:events';

import type { LineOutput } from '../../lib/transports/stdio/line.writer.js';

/** An output whose reader is the test: what is written waits until it is taken. */
export class HeldOutput extends EventEmitter implements LineOutput {
  /** Every write, taken or not. */
  readonly writes: string[] = [];
  writableLength = 0;
  private pending: { readonly text: string; readonly taken: (error?: Error | null) => void } | undefined;

  /** Text that was written so far. */
  get text(): string {
    return this.writes.join('');
  }

  write(text: string, encoding: BufferEncoding, taken: (error?: Error | null) => void): boolean {
    if (this.pending !== undefined) throw new Error('a write before the last one was taken');
    this.writes.push(Buffer.from(text, encoding).toString());
    this.pending = { text, taken };
    this.writableLength = text.length;
    return false;
  }

  /** The reader takes the write that waits; tells whether there was one. */
  take(error?: Error): boolean {
    const { pending } = this;
    this.pending = undefined;
    this.writableLength = 0;
    pending?.taken(error);
    return pending !== undefined;
  }

  takeAll(): void {
    while (this.take());
  }
}

import { Buffer } from 'node:buffer';

import type { BodyBudget } from '../../server/body-budget.js';
import type { Caller } from '../../model/peer.js';
import type { BodyReading } from '../../wire/exchange.js';
import { refuseAsBusy } from '../../wire/refusal.js';

const SMALLEST_BLOCK_BYTES = 1_024;
const LARGEST_BLOCK_BYTES = 65_536;

/** For a body that exceeds the budget. */
export const CROWDED: BodyReading = Object.freeze({
  ok: false,
  refusal: refuseAsBusy('The server is receiving too much; try again later'),
});

/**
 * Stores the received part of one body in blocks. A separate buffer for one byte costs a hundred, or retains its whole chunk;
 * a block is never much larger than the part before it.
 */
export class ArrivingBody {
  private readonly blocks: Uint8Array[] = [];
  private last: Uint8Array | undefined;
  /** Used bytes of the last block. */
  private used = 0;
  private size = 0;
  private held = 0;
  private readonly payer: unknown;

  constructor(
    private readonly budget: BodyBudget,
    caller: Caller,
    /** Maximum size of the body. */
    private readonly maxBytes: number,
  ) {
    this.payer = budget.payerOf(caller);
  }

  get receivedBytes(): number {
    return this.size;
  }

  /** Appends a piece; returns `false` if the budget is exceeded. */
  append(piece: Uint8Array): boolean {
    const { last, used } = this;
    const fits = last === undefined ? 0 : Math.min(last.length - used, piece.length);
    last?.set(fits === piece.length ? piece : piece.subarray(0, fits), used);
    this.used += fits;
    this.size += fits;
    if (fits === piece.length) return true;
    return this.begin(piece.subarray(fits));
  }

  /** Returns the whole body and releases its budget. */
  take(): Uint8Array {
    const { last, used, blocks } = this;
    if (last !== undefined) blocks[blocks.length - 1] = last.subarray(0, used);
    const bytes = blocks.length === 1 ? blocks[0] : Buffer.concat(blocks);
    this.drop();
    return bytes;
  }

  drop(): void {
    this.blocks.length = 0;
    this.last = undefined;
    this.budget.release(this.payer, this.held);
    this.held = 0;
  }

  private begin(piece: Uint8Array): boolean {
    const isWhole = piece.length >= SMALLEST_BLOCK_BYTES && piece.length === piece.buffer.byteLength;
    const bytes = isWhole ? piece.length : this.roomFor(piece.length);
    if (!this.budget.take(this.payer, bytes)) return false;
    const block = isWhole ? piece : Buffer.allocUnsafeSlow(bytes);
    if (!isWhole) block.set(piece);
    this.blocks.push(block);
    this.last = block;
    this.held += bytes;
    this.used = piece.length;
    this.size += piece.length;
    return true;
  }

  private roomFor(bytes: number): number {
    const usual = Math.min(Math.max(this.size, SMALLEST_BLOCK_BYTES), LARGEST_BLOCK_BYTES);
    const left = this.maxBytes - this.size;
    // A body may be larger than announced if the host does not check its length.
    return Math.max(bytes, left > 0 ? Math.min(usual, left) : usual);
  }
}

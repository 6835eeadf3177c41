import { Buffer } from 'node:buffer';

import type { BodyBudget } from '../../exchange/body-budget.js';
import type { Caller } from '../../model/peer.js';
import type { BodyReading } from '../../wire/exchange.js';
import { refuseBusy } from '../../wire/refusal.js';

const SMALLEST_BLOCK_BYTES = 1_024;
const LARGEST_BLOCK_BYTES = 65_536;

/** For a body that there is no room for. */
export const CROWDED: BodyReading = Object.freeze({
  ok: false,
  refusal: refuseBusy('The server is receiving too much; try again later'),
});

/**
 * Keeps what has come of one body in blocks. A piece of one byte alone costs a hundred, or keeps all that was read with it;
 * blocks are never much larger than what came before.
 */
export class ArrivingBody {
  private readonly blocks: Uint8Array[] = [];
  private last: Uint8Array | undefined;
  /** Bytes of the last block that are taken. */
  private used = 0;
  private size = 0;
  private held = 0;
  private readonly payer: unknown;

  constructor(
    private readonly budget: BodyBudget,
    caller: Caller,
    /** The most that is to come. */
    private readonly maxBytes: number,
  ) {
    this.payer = budget.payerOf(caller);
  }

  get receivedBytes(): number {
    return this.size;
  }

  /** Whether there was room for it. */
  append(piece: Uint8Array): boolean {
    const { last, used } = this;
    const fits = last === undefined ? 0 : Math.min(last.length - used, piece.length);
    last?.set(fits === piece.length ? piece : piece.subarray(0, fits), used);
    this.used += fits;
    this.size += fits;
    if (fits === piece.length) return true;
    return this.begin(piece.subarray(fits));
  }

  /** All of it; nothing is held any more. */
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
    // More may come than was announced, where nothing in front of this counts.
    return Math.max(bytes, left > 0 ? Math.min(usual, left) : usual);
  }
}

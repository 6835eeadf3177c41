/** A line without its line break, or a marker for a line that was too long. */
export type LineEvent = Uint8Array | 'too-long';

const NEWLINE = 0x0a;
/** JSON white space and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0d, 0xef, 0xbb, 0xbf]);
const LEAST_CAPACITY = 1_024;

/**
 * Splits bytes into lines, independent of chunk borders. Carriage returns and a byte order mark are kept for the JSON decoder;
 * lines with nothing else are skipped. An unfinished line never occupies more than the limit: at the limit it is reported,
 * and its rest is dropped.
 */
export class LineDecoder {
  private held: Buffer | undefined;
  private heldBytes = 0;
  private discarding = false;

  /** The limit includes the line break. */
  constructor(private readonly maxLineBytes: number) {}

  /** Memory of the unfinished line, in bytes. */
  get capacity(): number {
    return this.held?.length ?? 0;
  }

  /** Complete lines of a chunk are views of the chunk. */
  push(chunk: Uint8Array): LineEvent[] {
    const events: LineEvent[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.endLine(chunk.subarray(start, end), events);
      start = end + 1;
    }
    if (start < chunk.length) this.hold(chunk.subarray(start), events);
    return events;
  }

  /** The last line may have no line break. */
  end(): LineEvent[] {
    const events: LineEvent[] = [];
    this.endLine(new Uint8Array(0), events);
    return events;
  }

  private endLine(rest: Uint8Array, events: LineEvent[]): void {
    const isWhole = !this.discarding && this.fits(rest, events);
    if (isWhole) {
      const line = this.heldBytes === 0 ? rest : this.append(rest);
      if (!isBlank(line)) events.push(line);
    }
    this.release();
    this.discarding = false;
  }

  private hold(piece: Uint8Array, events: LineEvent[]): void {
    if (this.discarding) return;
    if (this.fits(piece, events)) {
      this.append(piece);
      return;
    }
    this.release();
    this.discarding = true;
  }

  private fits(piece: Uint8Array, events: LineEvent[]): boolean {
    const doesFit = this.heldBytes + piece.length < this.maxLineBytes;
    if (!doesFit) events.push('too-long');
    return doesFit;
  }

  /** Copies, because a chunk of one byte would retain a hundred bytes. */
  private append(piece: Uint8Array): Uint8Array {
    const needed = this.heldBytes + piece.length;
    if (this.held === undefined || needed > this.held.length) {
      const grown = Buffer.allocUnsafeSlow(
        Math.min(this.maxLineBytes, Math.max(LEAST_CAPACITY, needed, this.capacity * 2)),
      );
      if (this.held !== undefined) grown.set(this.held.subarray(0, this.heldBytes));
      this.held = grown;
    }
    this.held.set(piece, this.heldBytes);
    this.heldBytes = needed;
    return this.held.subarray(0, needed);
  }

  private release(): void {
    this.held = undefined;
    this.heldBytes = 0;
  }
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => BLANK.has(byte));
}

import { Buffer } from 'node:buffer';

import type { RequestId } from '../../wire/json-rpc.js';

/** A line that waits to be written. */
export interface WaitingLine {
  /** What is left of it, without its end: joining that to a long text would copy the text. */
  text: string;
  /** The request that it is about. */
  readonly about: RequestId | undefined;
  /** Told when it was written, or never will be. */
  readonly written: (() => void) | undefined;
  /** A line that has begun has to be finished, or it would spoil the next. */
  hasBegun: boolean;
}

/** One write: some text, and the lines that are complete with it. */
export interface LineBatch {
  readonly text: string;
  readonly completes: readonly WaitingLine[];
}

/** Lines in the order in which they are written. */
export class LineQueue {
  private lines: WaitingLine[] = [];
  private waitingBytes = 0;

  /** Of ASCII text, so characters are bytes. */
  get bytes(): number {
    return this.waitingBytes;
  }

  add(line: WaitingLine): void {
    this.lines.push(line);
    this.waitingBytes += bytesOf(line);
  }

  /** As many lines as go into one write, or a piece of a larger one; `undefined` when nothing waits. */
  take(maxBytes: number): LineBatch | undefined {
    const [first] = this.lines;
    if (first === undefined) return undefined;
    if (bytesOf(first) > maxBytes) return this.cut(first, maxBytes);
    let [count, bytes] = [1, bytesOf(first)];
    for (let next = this.lines[count]; next !== undefined; next = this.lines[count]) {
      if (bytes + bytesOf(next) > maxBytes) break;
      bytes += bytesOf(next);
      count += 1;
    }
    this.waitingBytes -= bytes;
    const completes = this.lines.splice(0, count);
    return { text: completes.map(({ text }) => `${text}${LINE_END}`).join(''), completes };
  }

  /** Takes out what is about a request, where it has not begun. */
  remove(about: RequestId): WaitingLine[] {
    return this.sift((line) => line.about === about && !line.hasBegun);
  }

  clear(): WaitingLine[] {
    return this.sift(() => true);
  }

  private cut(line: WaitingLine, bytes: number): LineBatch {
    const text = line.text.slice(0, bytes);
    line.text = line.text.slice(bytes);
    line.hasBegun = true;
    this.waitingBytes -= bytes;
    return { text, completes: [] };
  }

  private sift(goes: (line: WaitingLine) => boolean): WaitingLine[] {
    const gone = this.lines.filter(goes);
    if (gone.length === 0) return gone;
    this.lines = this.lines.filter((line) => !goes(line));
    for (const line of gone) this.waitingBytes -= bytesOf(line);
    return gone;
  }
}

function bytesOf({ text }: WaitingLine): number {
  return text.length + LINE_END.length;
}

/** Ends every line. */
const LINE_END = '\n';

const BEYOND_ASCII = /[\u0080-\uffff]+/g;

/**
 * One message as one line of plain ASCII, without its end: whatever the encoding of a terminal, a pipe or a client,
 * nothing can go wrong with it. Line breaks between JSON tokens become spaces, which is the same JSON.
 */
export function encodeLine(json: string): string {
  const ascii = Buffer.byteLength(json) === json.length ? json : json.replace(BEYOND_ASCII, escapeAll);
  const isBroken = ascii.includes('\n') || ascii.includes('\r');
  return isBroken ? ascii.replace(/[\r\n]/g, ' ') : ascii;
}

/** Every unit of UTF-16 for itself, so that pairs stay pairs. */
function escapeAll(run: string): string {
  let escaped = '';
  for (let index = 0; index < run.length; index += 1) {
    escaped += `\\u${run.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

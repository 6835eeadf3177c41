import { Buffer } from 'node:buffer';

import type { RequestId } from '../../wire/json-rpc.js';

/** A line that waits to be written. */
export interface WaitingLine {
  /** The unwritten rest without the line break: appending it to a long text would copy the text. */
  text: string;
  /** The id of its request. */
  readonly about: RequestId | undefined;
  /** Called when the line was written, or is dropped. */
  readonly written: (() => void) | undefined;
  /** A partly written line must be finished, because it would corrupt the next one. */
  hasBegun: boolean;
}

/** One write: a text, and the lines that it completes. */
export interface LineBatch {
  readonly text: string;
  readonly completes: readonly WaitingLine[];
}

/** The queue of lines. */
export class LineQueue {
  private lines: WaitingLine[] = [];
  private waitingBytes = 0;

  /** Size in bytes; the text is ASCII, so each character is one byte. */
  get bytes(): number {
    return this.waitingBytes;
  }

  add(line: WaitingLine): void {
    this.lines.push(line);
    this.waitingBytes += bytesOf(line);
  }

  /** The lines for one write, or a part of a longer line; `undefined` if the queue is empty. */
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

  /** Removes the lines of a request that were not partly written. */
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

/** The line break. */
const LINE_END = '\n';

const BEYOND_ASCII = /[\u0080-\uffff]+/g;

/**
 * One message as one line of ASCII without the line break, which is the same in every encoding of a terminal, pipe or
 * client. Line breaks between JSON tokens become spaces, which is the same JSON.
 */
export function encodeLine(json: string): string {
  const ascii = Buffer.byteLength(json) === json.length ? json : json.replace(BEYOND_ASCII, escapeAll);
  const isBroken = ascii.includes('\n') || ascii.includes('\r');
  return isBroken ? ascii.replace(/[\r\n]/g, ' ') : ascii;
}

/** Escapes each UTF-16 code unit, so that surrogate pairs are preserved. */
function escapeAll(run: string): string {
  let escaped = '';
  for (let index = 0; index < run.length; index += 1) {
    escaped += `\\u${run.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

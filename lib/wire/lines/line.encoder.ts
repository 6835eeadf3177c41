import { Buffer } from 'node:buffer';

/** Ends every line. */
export const LINE_END = '\n';

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

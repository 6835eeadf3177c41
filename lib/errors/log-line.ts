import type { Logger } from '@nestjs/common';

/** Maximum number of characters of a message in a log line. */
const MAX_MESSAGE = 2_048;
const MAX_STACK = 8_192;

/** Characters that end a line, move the cursor of a terminal, or change the text direction. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const FRAME = /^\s+at /;
const FIRST_FRAME = /\n\s+at /;

/** Escapes a text to one line, since many messages contain text from clients, which must not be able to forge a line. */
export function toLine(text: string): string {
  const line = text.slice(0, MAX_MESSAGE).replace(CONTROLS, escapeControl);
  return cut(line, MAX_MESSAGE, text.length > MAX_MESSAGE ? text.length : line.length);
}

/** The message of a thrown value. Never throws, not even if getters or proxies of the app do. */
export function messageOf(error: unknown): string {
  const message = memberOf(error, 'message');
  return typeof message === 'string' ? message : typeof error === 'string' ? error : typeof error;
}

/** The stack of a thrown value, for a log. Never throws. */
export function stackOf(error: unknown): string | undefined {
  const stack = memberOf(error, 'stack');
  return typeof stack === 'string' ? toLines(stack, messageOf(error)) : undefined;
}

/** Logs a warning; errors of the app's logger are ignored. */
export function warn(logger: Logger, text: string): void {
  try {
    logger.warn(toLine(text));
  } catch {
    // An error of the logger cannot be logged.
  }
}

/** Logs an error; errors of the app's logger are ignored. */
export function logError(logger: Logger, text: string, stack?: string): void {
  try {
    logger.error(toLine(text), stack);
  } catch {
    // An error of the logger cannot be logged.
  }
}

/** Reads a member; `undefined` if its getter throws. */
function memberOf(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** Puts the message on one line and keeps the lines of the stack; lines that are not frames are marked, so that they cannot pass for log lines. */
function toLines(stack: string, message: string): string {
  const end = endOfMessage(stack, message);
  const frames = stack
    .slice(end, end + MAX_STACK)
    .split('\n')
    .map((line, index) => (index === 0 || line === '' || FRAME.test(line) ? toLine(line) : `    | ${toLine(line)}`))
    .join('\n');
  const text = toLine(stack.slice(0, end)) + frames;
  return cut(text, MAX_STACK, Math.max(text.length, stack.length));
}

/** V8 writes name and message first. A message that was changed later is not found; then the first frame marks its end. */
function endOfMessage(stack: string, message: string): number {
  const place = message === '' ? -1 : stack.indexOf(message);
  if (place >= 0) return place + message.length;
  const frames = stack.search(FIRST_FRAME);
  return frames < 0 ? stack.length : frames;
}

function cut(text: string, most: number, length: number): string {
  return length <= most ? text : `${text.slice(0, most)}… (cut, ${length} characters in all)`;
}

function escapeControl(control: string): string {
  return SHORT[control] ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

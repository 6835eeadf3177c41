import type { Logger } from '@nestjs/common';

/** Characters of a message that a line shows. */
const MAX_MESSAGE = 2_048;
const MAX_STACK = 8_192;

/** What ends a line, moves the cursor of a terminal, or turns the direction of what follows. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const FRAME = /^\s+at /;
const FIRST_FRAME = /\n\s+at /;

/** One line, whatever the text holds: clients have a say in many messages, and must not be able to forge a line. */
export function toLine(text: string): string {
  const line = text.slice(0, MAX_MESSAGE).replace(CONTROLS, escapeControl);
  return cut(line, MAX_MESSAGE, text.length > MAX_MESSAGE ? text.length : line.length);
}

/** What something thrown says, in words. Never throws, whatever getters and proxies of an app do. */
export function messageOf(error: unknown): string {
  const message = memberOf(error, 'message');
  return typeof message === 'string' ? message : typeof error === 'string' ? error : typeof error;
}

/** Its stack for a log. Never throws either. */
export function stackOf(error: unknown): string | undefined {
  const stack = memberOf(error, 'stack');
  return typeof stack === 'string' ? toLines(stack, messageOf(error)) : undefined;
}

/** A logger of the app that throws takes nothing else with it. */
export function warn(logger: Logger, text: string): void {
  try {
    logger.warn(toLine(text));
  } catch {
    // There is nobody left to tell.
  }
}

/** As `warn`, for what has failed. */
export function complain(logger: Logger, text: string, stack?: string): void {
  try {
    logger.error(toLine(text), stack);
  } catch {
    // There is nobody left to tell.
  }
}

/** A member that may be a getter which throws; `undefined` then. */
function memberOf(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** The message becomes one line; the lines of the stack below stay, and what is no frame is set off from real lines. */
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

/** V8 writes name and message first; a message that was changed later is not found, and ends before the first frame. */
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

import { LOG_LEVELS, type LogItem, type LogLevel, type ProgressItem } from '../../model/event.js';

/** Progress updates of one call that are sent at once; of later ones only the last is sent. */
export const MAX_UPDATES = 1_000;
const MAX_MESSAGE_BYTES = 4_096;

/** Number of events or values after which a call yields to the event loop, since dropped events and fast clients never yield. */
export const TURN = 32;

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** @throws TypeError for values that are not valid progress. */
export function checkProgress({ progress, total, message }: ProgressItem): void {
  if (!Number.isFinite(progress)) throw new TypeError('Progress must be a finite number.');
  if (total !== undefined && !Number.isFinite(total))
    throw new TypeError('The total of a progress must be a finite number.');
  if (message === undefined) return;
  if (typeof message !== 'string' || Buffer.byteLength(message) > MAX_MESSAGE_BYTES) {
    throw new TypeError(`The message of a progress must be a string of at most ${MAX_MESSAGE_BYTES} bytes.`);
  }
}

/** @throws TypeError for an unknown level, or a logger without a name. */
export function checkLog({ level, logger }: LogItem): void {
  if (logger !== undefined && typeof logger !== 'string')
    throw new TypeError('The logger of a log message must be a string.');
  if (!LOG_LEVELS.includes(level)) throw new TypeError(`The log level must be one of ${LOG_LEVELS.join(', ')}.`);
}

export function acceptsLog(level: LogLevel, asked: LogLevel | undefined): boolean {
  return asked !== undefined && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(asked);
}

import type { Change, ChangeFilter } from './change.js';

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** Severity of a log message, as in RFC 5424. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A progress update of a call. */
export class ProgressItem {
  readonly kind = 'progress';

  constructor(
    readonly progress: number,
    readonly total?: number,
    readonly message?: string,
  ) {}
}

/** A log message for the client. */
export class LogItem {
  readonly kind = 'log';

  constructor(
    readonly level: LogLevel,
    readonly data: unknown,
    readonly logger?: string,
  ) {}
}

/** An event that a running call sends to its client before the result. */
export type CallEvent = ProgressItem | LogItem;

/** The first event of a subscription: the changes that it covers. */
export interface Acknowledgement {
  readonly kind: 'acknowledged';
  readonly filter: ChangeFilter;
}

/** An event that can precede a response. */
export type OutgoingEvent = CallEvent | Acknowledgement | Change;

/**
 * A progress update that an Observable or async generator of a tool emits.
 *
 * @publicApi
 */
export function progress(done: number, total?: number, message?: string): ProgressItem {
  return new ProgressItem(done, total, message);
}

/**
 * A log message that an Observable or async generator of a tool emits; sent only when the request asked for its level.
 *
 * @publicApi
 */
export function log(level: LogLevel, data: unknown, logger?: string): LogItem {
  return new LogItem(level, data, logger);
}

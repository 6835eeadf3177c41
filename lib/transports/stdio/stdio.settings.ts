import { LONGEST_TIMER_MS } from '../../mcp.constants.js';
import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import type { StdioOptions } from './stdio-options.interface.js';

/** The validated options with defaults. */
export interface StdioSettings {
  readonly server: string | undefined;
  readonly auth: unknown;
  readonly maxLineBytes: number;
  readonly maxSubscriptions: number;
  readonly writeTimeoutMs: number;
  /** `undefined` for the limit of the server. */
  readonly drainTimeoutMs: number | undefined;
  readonly logger: StdioOptions['logger'];
}

const KNOWN = [...['server', 'auth', 'maxLineBytes', 'maxSubscriptions', 'writeTimeoutMs', 'drainTimeoutMs', 'logger']];
const LEAST_LINE_BYTES = 1_000;
/** Maximum length of a string. */
const MOST_LINE_BYTES = 500_000_000;

/** @throws InvalidOptionsError naming the option and the fix. */
export function readStdioOptions(options: StdioOptions): StdioSettings {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionsError('serveStdio', 'it must be an object, or left out.');
  }
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) {
    throw new InvalidOptionsError(
      `serveStdio.${unknown}`,
      `this option does not exist. Valid options: ${KNOWN.join(', ')}.`,
    );
  }
  const {
    server,
    auth,
    maxLineBytes = 2_000_000,
    maxSubscriptions = 32,
    writeTimeoutMs = 5_000,
    drainTimeoutMs,
    logger,
  } = options;
  if (server !== undefined && (typeof server !== 'string' || server === '')) {
    throw new InvalidOptionsError('serveStdio.server', 'it must be the name that McpModule.forRoot({ server }) has.');
  }
  return {
    server,
    auth,
    maxLineBytes: within(maxLineBytes, 'maxLineBytes', [LEAST_LINE_BYTES, MOST_LINE_BYTES]),
    maxSubscriptions: within(maxSubscriptions, 'maxSubscriptions', [1, Number.MAX_SAFE_INTEGER]),
    writeTimeoutMs: within(writeTimeoutMs, 'writeTimeoutMs', [1, LONGEST_TIMER_MS]),
    drainTimeoutMs:
      drainTimeoutMs === undefined ? undefined : within(drainTimeoutMs, 'drainTimeoutMs', [1, LONGEST_TIMER_MS]),
    logger,
  };
}

function within(value: unknown, option: string, [least, most]: readonly [number, number]): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    throw new InvalidOptionsError(`serveStdio.${option}`, `it must be a whole number from ${least} to ${most}.`);
  }
  return value as number;
}

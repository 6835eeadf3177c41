/** Small enough that a few dozen clients reach every one of them. */
export const LIMITS = Object.freeze({
  maxConcurrency: 8,
  maxQueue: 16,
  requestTimeoutMs: 3_000,
  abandonAfterMs: 200,
  maxAbandoned: 8,
  maxSubscriptions: 12,
  drainTimeoutMs: 2_000,
});

export const HTTP = Object.freeze({
  maxBodyBytes: 100_000,
  bodyTimeoutMs: 1_000,
  readTimeoutMs: 500,
  keepAliveMs: 100,
  writeTimeoutMs: 1_000,
});

/** Time limit of the tool `hasty`. */
export const HASTY_MS = 80;

/** What the server must have forgotten, in bytes, when all clients are gone. */
export const MOST_DRIFT_BYTES = 10_000_000;

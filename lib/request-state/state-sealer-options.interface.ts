import type { StateUseStore } from './state-use.store.js';

/** Protection of a token: `encrypted` hides its content, `signed` leaves it readable. */
export type StateMode = 'encrypted' | 'signed';

/** One key of the ring. */
export interface StateKey {
  /** Name of the key, contained in every token that it seals: 1 to 32 of `A-Z`, `a-z`, `0-9`, `_` and `-`. */
  readonly id: string;
  /** At least 32 bytes, raw, in hex or in base64url; or a passphrase of at least 32 characters. */
  readonly secret: string | Uint8Array;
}

/** Options for sealing request states. */
export interface StateSealerOptions {
  /**
   * One to eight keys. The first key seals tokens, and all keys open them. To rotate, add a new key at the front, and remove
   * an old key when its last token has expired.
   */
  readonly keys: readonly StateKey[];
  /**
   * How tokens are protected. Tokens of one mode do not open in the other.
   *
   * @default 'encrypted'
   */
  readonly mode?: StateMode;
  /**
   * Lifetime of a token in milliseconds; at most 900_000. It is written into the token, so a change affects only new
   * tokens.
   *
   * @default 300_000
   */
  readonly ttlMs?: number;
  /**
   * Stores which tokens were redeemed, so that each can be used only once.
   *
   * @default tokens can be used again until they expire
   */
  readonly useStore?: StateUseStore;
}

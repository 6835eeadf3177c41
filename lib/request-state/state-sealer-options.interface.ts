import type { StateUseStore } from './state-use.store.js';

/** How a token is protected: `encrypted` hides its content, `signed` leaves it readable. */
export type StateMode = 'encrypted' | 'signed';

/** One key of the ring. */
export interface StateKey {
  /** Stands in every token that the key seals: 1 to 32 of `A-Z`, `a-z`, `0-9`, `_` and `-`. */
  readonly id: string;
  /** At least 32 bytes, as they are, in hex or in base64url; or a passphrase of at least 32 characters. */
  readonly secret: string | Uint8Array;
}

/** How states of requests are sealed. */
export interface StateSealerOptions {
  /**
   * One to eight keys. The first one seals, all of them open: a new key goes to the front, and an old one may leave when
   * its last token has expired.
   */
  readonly keys: readonly StateKey[];
  /**
   * Tokens of one mode do not open in the other.
   *
   * @default 'encrypted'
   */
  readonly mode?: StateMode;
  /**
   * How long a token can be used, in milliseconds; at most 900_000. It is written into the token, so a change counts for
   * tokens sealed from then on.
   *
   * @default 300_000
   */
  readonly ttlMs?: number;
  /**
   * Remembers which tokens were redeemed, so that each is used once.
   *
   * @default tokens can be used again until they expire
   */
  readonly useStore?: StateUseStore;
}

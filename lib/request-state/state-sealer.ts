import { isUtf8 } from 'node:buffer';
import { randomBytes, timingSafeEqual } from 'node:crypto';

import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { KeyRing, type RingKey } from './key-ring.js';
import { requireKeys } from './key.reader.js';
import {
  frameOf,
  MARK_BYTES,
  markOf,
  type StateBinding,
  MAX_TOKEN_BYTES,
  MAX_TTL_MS,
  NONCE_BYTES,
  decodeHeader,
  decodeToken,
  encodeHeader,
  encodeToken,
  tokenBytes,
  type StateHeader,
} from './state-token.js';
import type { StateMode, StateSealerOptions } from './state-sealer-options.interface.js';
import { StateTooLargeError } from './state-too-large.error.js';
import type { StateUseStore } from './state-use.store.js';

/** Maximum clock difference between instances; clients may answer within milliseconds. */
const MAX_SKEW_MS = 5_000;

const DEFAULT_TTL_MS = 300_000;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The content of an opened token. */
export interface OpenedState {
  readonly payload: string;
  /** Unique id of the token. */
  readonly id: string;
  readonly expiresAtMs: number;
}

/** A token that is being opened. */
interface Candidate {
  readonly header: StateHeader;
  readonly frame: Uint8Array;
  readonly body: Uint8Array;
  readonly bindingOf: () => StateBinding;
}

/**
 * Seals a payload into a token that a client can keep, and opens it for the same server, method, params and principal,
 * until it expires. Opening takes the same work for all faults, and does not reveal the fault, with one exception: the
 * binding is compared only for authentic and current tokens, since that can take long.
 *
 * Instances that open each other's tokens need clocks that agree within five seconds: a token from further in the future
 * is refused.
 */
export class StateSealer {
  private readonly ring: KeyRing;
  private readonly mode: StateMode;
  private readonly ttlMs: number;
  private readonly useStore: StateUseStore | undefined;

  /** @throws InvalidOptionsError with the option and the fix. */
  constructor(
    { keys, mode = 'encrypted', ttlMs = DEFAULT_TTL_MS, useStore }: StateSealerOptions,
    private readonly clock: () => number = Date.now,
  ) {
    if (mode !== 'encrypted' && mode !== 'signed') {
      throw new InvalidOptionsError('requestState.mode', 'it must be "encrypted" or "signed".');
    }
    if (!Number.isSafeInteger(ttlMs) || ttlMs < 1 || ttlMs > MAX_TTL_MS) {
      throw new InvalidOptionsError('requestState.ttlMs', `it must be a whole number from 1 to ${MAX_TTL_MS}.`);
    }
    this.ring = new KeyRing(requireKeys(keys, 'requestState.keys'), mode);
    this.mode = mode;
    this.ttlMs = ttlMs;
    this.useStore = useStore;
  }

  /** @throws StateTooLargeError when the token would be longer than 16,384 bytes. */
  seal(payload: string, binding: StateBinding): string {
    const { id: keyId, cipher, binder } = this.ring.first;
    const bytes = tokenBytes(keyId, MARK_BYTES + Buffer.byteLength(payload) + cipher.overheadBytes);
    if (bytes > MAX_TOKEN_BYTES) throw new StateTooLargeError(bytes, MAX_TOKEN_BYTES);
    if (LONE_SURROGATE.test(payload))
      throw new TypeError('A request state with an unpaired surrogate has no UTF-8 form.');
    const nonce = randomBytes(NONCE_BYTES);
    const issuedAtMs = Math.floor(this.clock());
    const header = encodeHeader({ mode: this.mode, nonce, issuedAtMs, lifetimeMs: this.ttlMs });
    const frame = frameOf({ header, keyId });
    const content = Buffer.concat([markOf(binder, frame, binding), Buffer.from(payload, 'utf8')]);
    return encodeToken({ keyId, header, body: cipher.seal(content, { nonce, bound: frame }) });
  }

  /**
   * Opens a token without marking it as used.
   *
   * @param bindingOf called only if the token is authentic and current.
   */
  open(token: unknown, bindingOf: () => StateBinding): OpenedState | undefined {
    const parts = decodeToken(token);
    if (parts === undefined) return undefined;
    const header = decodeHeader(parts.header, this.mode);
    if (header === undefined) return undefined;
    const candidate = { header, frame: frameOf(parts), body: parts.body, bindingOf };
    return this.ring.open(parts.keyId, (key) => this.read(candidate, key));
  }

  /** Opens a token and marks it as used, if there is a use store; rejects only when the store does. */
  async redeem(token: unknown, bindingOf: () => StateBinding): Promise<OpenedState | undefined> {
    const opened = this.open(token, bindingOf);
    if (opened === undefined || this.useStore === undefined) return opened;
    return (await this.useStore.claim(opened.id, opened.expiresAtMs)) ? opened : undefined;
  }

  private read({ header, frame, body, bindingOf }: Candidate, key: RingKey): OpenedState | undefined {
    const { nonce, issuedAtMs, lifetimeMs } = header;
    const content = key.cipher.open(body, { nonce, bound: frame });
    if (content === undefined || content.length < MARK_BYTES) return undefined;
    const payload = content.subarray(MARK_BYTES);
    const now = this.clock();
    const expiresAtMs = issuedAtMs + lifetimeMs;
    // Both comparisons are false if the clock returns NaN.
    const isCurrent = issuedAtMs <= now + MAX_SKEW_MS && now < expiresAtMs;
    if (!isUtf8(payload) || !isCurrent) return undefined;
    if (!timingSafeEqual(markOf(key.binder, frame, bindingOf()), content.subarray(0, MARK_BYTES))) return undefined;
    return { payload: payload.toString('utf8'), id: Buffer.from(nonce).toString('base64url'), expiresAtMs };
  }
}

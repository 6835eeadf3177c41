import { createSecretKey, hkdfSync } from 'node:crypto';

import type { KeyMaterials } from './key.reader.js';
import type { StateMode } from './state-sealer-options.interface.js';
import { EncryptingCipher, SigningCipher, type StateCipher } from './state.ciphers.js';

const SALT = 'nestjs-mcp request-state';
const SUB_KEY_BYTES = 32;

/** A key of the ring, ready to work. */
export interface RingKey {
  readonly id: string;
  readonly cipher: StateCipher;
}

/** The keys in their order; what the secrets are needed for is derived once, here. */
export class KeyRing {
  /** Seals. */
  readonly first: RingKey;
  private readonly keys: readonly RingKey[];

  constructor([first, ...others]: KeyMaterials, mode: StateMode) {
    this.first = { id: first.id, cipher: createCipher(first.bytes, mode) };
    this.keys = [this.first, ...others.map(({ id, bytes }) => ({ id, cipher: createCipher(bytes, mode) }))];
  }

  /**
   * The key that a token names opens it. When that fails, whatever the reason, and when no key has that name, all others
   * are tried, none of them spared: the work tells nothing of the fault.
   */
  open<T>(keyId: string, attempt: (cipher: StateCipher) => T | undefined): T | undefined {
    const named = this.keys.find(({ id }) => id === keyId);
    const direct = named && attempt(named.cipher);
    if (direct !== undefined) return direct;
    const others = this.keys.filter((key) => key !== named).map(({ cipher }) => attempt(cipher));
    return others.find((opened) => opened !== undefined);
  }
}

/** Each mode has a key of its own, so that what one of them tells is of no use in the other. */
export function createCipher(secret: Uint8Array, mode: StateMode): StateCipher {
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, SALT, `v1 ${mode}`, SUB_KEY_BYTES)));
  return mode === 'encrypted' ? new EncryptingCipher(key) : new SigningCipher(key);
}

import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

import type { KeyMaterials } from './key.reader.js';
import type { StateMode } from './state-sealer-options.interface.js';
import { EncryptingCipher, SigningCipher, type StateCipher } from './state.ciphers.js';

const SALT = 'nestjs-mcp request-state';
const SUB_KEY_BYTES = 32;

/** A key of the ring, ready to work. */
export interface RingKey {
  readonly id: string;
  readonly cipher: StateCipher;
  /** Makes the marks of bindings. */
  readonly binder: KeyObject;
}

/** The keys in their order; what the secrets are needed for is derived once, here. */
export class KeyRing {
  /** Seals. */
  readonly first: RingKey;
  private readonly keys: readonly RingKey[];

  constructor([first, ...others]: KeyMaterials, mode: StateMode) {
    this.first = createRingKey(first.id, first.bytes, mode);
    this.keys = [this.first, ...others.map(({ id, bytes }) => createRingKey(id, bytes, mode))];
  }

  /**
   * The key that a token names opens it. When that fails, whatever the reason, and when no key has that name, all others
   * are tried, none of them spared: the work tells nothing of the fault.
   */
  open<T>(keyId: string, attempt: (key: RingKey) => T | undefined): T | undefined {
    const named = this.keys.find(({ id }) => id === keyId);
    const direct = named && attempt(named);
    if (direct !== undefined) return direct;
    const others = this.keys.filter((key) => key !== named).map(attempt);
    return others.find((opened) => opened !== undefined);
  }
}

/** Each mode and each purpose has a key of its own, so that what one of them tells is of no use in another. */
export function createRingKey(id: string, secret: Uint8Array, mode: StateMode): RingKey {
  const derive = (purpose: string): KeyObject =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', secret, SALT, `v1 ${purpose}`, SUB_KEY_BYTES)));
  const key = derive(mode);
  const cipher = mode === 'encrypted' ? new EncryptingCipher(key) : new SigningCipher(key);
  return { id, cipher, binder: derive(`${mode} binding`) };
}

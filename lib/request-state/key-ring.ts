import {
  createSecretKey,
  hkdfSync,
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  timingSafeEqual,
} from 'node:crypto';

import type { KeyMaterials } from './key.reader.js';
import type { StateMode } from './state-sealer-options.interface.js';

const SALT = 'nestjs-mcp request-state';
const SUB_KEY_BYTES = 32;

/** A key of the ring with the keys that are derived from it. */
export interface RingKey {
  readonly id: string;
  readonly cipher: StateCipher;
  /** HMAC key for the marks of bindings. */
  readonly binder: KeyObject;
}

/** The keys in order; all keys that depend on the secrets are derived once, here. */
export class KeyRing {
  /** The key that seals new tokens. */
  readonly first: RingKey;
  private readonly keys: readonly RingKey[];

  constructor([first, ...others]: KeyMaterials, mode: StateMode) {
    this.first = createRingKey(first.id, first.bytes, mode);
    this.keys = [this.first, ...others.map(({ id, bytes }) => createRingKey(id, bytes, mode))];
  }

  /**
   * Tries the key that the token names. If that fails for any reason, or no key has that name, all other keys are tried,
   * so that the time does not reveal the fault.
   */
  open<T>(keyId: string, attempt: (key: RingKey) => T | undefined): T | undefined {
    const named = this.keys.find(({ id }) => id === keyId);
    const direct = named && attempt(named);
    if (direct !== undefined) return direct;
    const others = this.keys.filter((key) => key !== named).map(attempt);
    return others.find((opened) => opened !== undefined);
  }
}

/** Derives a separate key for each mode and purpose, so that output for one purpose cannot be used for another. */
export function createRingKey(id: string, secret: Uint8Array, mode: StateMode): RingKey {
  const derive = (purpose: string): KeyObject =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', secret, SALT, `v1 ${purpose}`, SUB_KEY_BYTES)));
  const key = derive(mode);
  const cipher = mode === 'encrypted' ? new EncryptingCipher(key) : new SigningCipher(key);
  return { id, cipher, binder: derive(`${mode} binding`) };
}

/** Authenticated data outside of the content of a token; if one bit changes, the content does not open. */
export interface SealedContext {
  /** Must never be used twice with one key. */
  readonly nonce: Uint8Array;
  /** Has a self-delimiting format, so that it cannot be confused with the content. */
  readonly bound: Uint8Array;
}

/** Seals and opens contents with one key. */
interface StateCipher {
  /** Difference between the lengths of body and content. */
  readonly overheadBytes: number;
  seal(content: Uint8Array, context: SealedContext): Buffer;
  /** Returns `undefined` for a body that this key did not seal in this context. */
  open(body: Uint8Array, context: SealedContext): Buffer | undefined;
}

const GCM = 'aes-256-gcm';
const GCM_TAG = { authTagLength: 16 } as const;

/** AES-256-GCM: only holders of the key can read or change the content. */
export class EncryptingCipher implements StateCipher {
  readonly overheadBytes = GCM_TAG.authTagLength;

  constructor(private readonly key: KeyObject) {}

  seal(content: Uint8Array, { nonce, bound }: SealedContext): Buffer {
    const cipher = createCipheriv(GCM, this.key, nonce, GCM_TAG).setAAD(bound);
    return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }

  open(body: Uint8Array, { nonce, bound }: SealedContext): Buffer | undefined {
    const end = body.length - this.overheadBytes;
    if (end < 0) return undefined;
    const decipher = createDecipheriv(GCM, this.key, nonce, GCM_TAG).setAAD(bound).setAuthTag(body.subarray(end));
    const content = decipher.update(body.subarray(0, end));
    try {
      decipher.final();
      return content;
    } catch {
      return undefined;
    }
  }
}

/** HMAC-SHA256: everybody can read the content, but only holders of the key can change it. */
export class SigningCipher implements StateCipher {
  readonly overheadBytes = 32;

  constructor(private readonly key: KeyObject) {}

  seal(content: Uint8Array, { bound }: SealedContext): Buffer {
    return Buffer.concat([content, this.sign(content, bound)]);
  }

  open(body: Uint8Array, { bound }: SealedContext): Buffer | undefined {
    const end = body.length - this.overheadBytes;
    if (end < 0) return undefined;
    const content = Buffer.from(body.subarray(0, end));
    return timingSafeEqual(this.sign(content, bound), body.subarray(end)) ? content : undefined;
  }

  private sign(content: Uint8Array, bound: Uint8Array): Buffer {
    return createHmac('sha256', this.key).update(bound).update(content).digest();
  }
}

import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** What goes with the content of a token without being in it; one changed bit, and the content does not open. */
export interface SealedContext {
  /** Never used twice with one key. */
  readonly nonce: Uint8Array;
  /** Tells where it ends, so that it cannot be confused with the content. */
  readonly bound: Uint8Array;
}

/** Protects contents with one key. */
export interface StateCipher {
  /** By how much a body is longer than its content. */
  readonly overheadBytes: number;
  seal(content: Uint8Array, context: SealedContext): Buffer;
  /** `undefined` for whatever this key did not seal in this context. */
  open(body: Uint8Array, context: SealedContext): Buffer | undefined;
}

const GCM = 'aes-256-gcm';
const GCM_TAG = { authTagLength: 16 } as const;

/** AES-256-GCM: nobody else can read the content, or change it. */
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

/** HMAC-SHA256: everybody can read the content, and nobody else can change it. */
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

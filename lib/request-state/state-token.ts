import { createHmac, type KeyObject } from 'node:crypto';

import type { StateMode } from './state-sealer-options.interface.js';

export const MAX_TOKEN_BYTES = 16_384;
export const MAX_TTL_MS = 900_000;
export const NONCE_BYTES = 12;

const GRAMMAR = /^([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/;
const MODES: Readonly<Record<StateMode, number>> = { encrypted: 1, signed: 2 };
const ISSUED_AT = 1 + NONCE_BYTES;
const LIFETIME = ISSUED_AT + 6;
const HEADER_BYTES = LIFETIME + 3;

/** The readable, authenticated part of a token. */
export interface StateHeader {
  readonly mode: StateMode;
  /** Random; also identifies the token. */
  readonly nonce: Uint8Array;
  readonly issuedAtMs: number;
  readonly lifetimeMs: number;
}

/** The parts of a token: `keyId.base64url(header, body)`. */
interface StateToken {
  readonly keyId: string;
  readonly header: Uint8Array;
  readonly body: Uint8Array;
}

/** Length of the text of a token. */
export function tokenBytes(keyId: string, bodyBytes: number): number {
  return keyId.length + 1 + Math.ceil(((HEADER_BYTES + bodyBytes) * 4) / 3);
}

export function encodeToken({ keyId, header, body }: StateToken): string {
  return `${keyId}.${Buffer.concat([header, body]).toString('base64url')}`;
}

/** Returns `undefined` for texts that `encodeToken` cannot have written, including other spellings of the same bytes. */
export function decodeToken(token: unknown): StateToken | undefined {
  if (typeof token !== 'string' || token.length > MAX_TOKEN_BYTES) return undefined;
  const [, keyId, text] = GRAMMAR.exec(token) ?? [];
  if (keyId === undefined || text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < HEADER_BYTES || bytes.toString('base64url') !== text) return undefined;
  return { keyId, header: bytes.subarray(0, HEADER_BYTES), body: bytes.subarray(HEADER_BYTES) };
}

export function encodeHeader({ mode, nonce, issuedAtMs, lifetimeMs }: StateHeader): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = MODES[mode];
  header.set(nonce, 1);
  header.writeUIntBE(issuedAtMs, ISSUED_AT, LIFETIME - ISSUED_AT);
  header.writeUIntBE(lifetimeMs, LIFETIME, HEADER_BYTES - LIFETIME);
  return header;
}

/** Returns `undefined` for another mode, and for a lifetime that exceeds the maximum of the option. */
export function decodeHeader(bytes: Uint8Array, mode: StateMode): StateHeader | undefined {
  const header = Buffer.from(bytes);
  const lifetimeMs = header.readUIntBE(LIFETIME, HEADER_BYTES - LIFETIME);
  if (header[0] !== MODES[mode] || lifetimeMs > MAX_TTL_MS) return undefined;
  const issuedAtMs = header.readUIntBE(ISSUED_AT, LIFETIME - ISSUED_AT);
  return { mode, nonce: header.subarray(1, ISSUED_AT), issuedAtMs, lifetimeMs };
}

export const MARK_BYTES = 32;

/** The request that a token is bound to; it opens only for an equal binding. */
export interface StateBinding {
  /** Name of the MCP server as clients see it, since several apps may share keys. */
  readonly name: string;
  /** Name of the server within its app. */
  readonly server: string;
  readonly method: string;
  /** Result of `canonicalParams` for the message. */
  readonly params: string;
  /** Identifies the caller; `undefined` for an anonymous one, which differs from every text. */
  readonly principal: string | undefined;
}

/**
 * Encodes the parts of a token that are readable before it is opened. The header has a fixed length and the id of the key
 * is length-prefixed, so different parts always give different bytes.
 */
export function frameOf({ header, keyId }: Pick<StateToken, 'header' | 'keyId'>): Buffer {
  return Buffer.concat([header, Buffer.from([keyId.length]), Buffer.from(keyId, 'latin1')]);
}

/**
 * Computes the keyed hash of a binding that is stored in a token. It includes the frame of the token, so readers of signed
 * tokens learn nothing from it, not even whether two bindings are equal.
 */
export function markOf(key: KeyObject, frame: Uint8Array, binding: StateBinding): Buffer {
  const { name, server, method, params, principal } = binding;
  const hmac = createHmac('sha256', key).update(frame);
  for (const field of [name, server, method, params, principal]) {
    // Each field is length-prefixed. UTF-16, since UTF-8 encodes all lone surrogates alike.
    if (field === undefined) hmac.update('none;');
    else hmac.update(`${field.length}:`).update(field, 'utf16le');
  }
  return hmac.digest();
}

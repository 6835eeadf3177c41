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

/** What everybody can read of a token, and nobody can change. */
export interface StateHeader {
  readonly mode: StateMode;
  /** Random, and the name of the token as well. */
  readonly nonce: Uint8Array;
  readonly issuedAtMs: number;
  readonly lifetimeMs: number;
}

/** A token in its parts: `keyId.base64url(header, body)`. */
interface StateToken {
  readonly keyId: string;
  readonly header: Uint8Array;
  readonly body: Uint8Array;
}

/** How long the text of a token will be. */
export function tokenBytes(keyId: string, bodyBytes: number): number {
  return keyId.length + 1 + Math.ceil(((HEADER_BYTES + bodyBytes) * 4) / 3);
}

export function encodeToken({ keyId, header, body }: StateToken): string {
  return `${keyId}.${Buffer.concat([header, body]).toString('base64url')}`;
}

/** `undefined` for everything that `encodeToken` cannot have written, other spellings of the same bytes included. */
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

/** `undefined` for another mode, and for a longer lifetime than any option allows. */
export function decodeHeader(bytes: Uint8Array, mode: StateMode): StateHeader | undefined {
  const header = Buffer.from(bytes);
  const lifetimeMs = header.readUIntBE(LIFETIME, HEADER_BYTES - LIFETIME);
  if (header[0] !== MODES[mode] || lifetimeMs > MAX_TTL_MS) return undefined;
  const issuedAtMs = header.readUIntBE(ISSUED_AT, LIFETIME - ISSUED_AT);
  return { mode, nonce: header.subarray(1, ISSUED_AT), issuedAtMs, lifetimeMs };
}

export const MARK_BYTES = 32;

/** What a token is good for; it opens for exactly the same and nothing else. */
export interface StateBinding {
  /** Name of the app's MCP server, as clients see it: two apps may share their keys. */
  readonly name: string;
  /** Name of the server among those of its app. */
  readonly server: string;
  readonly method: string;
  /** What `canonicalParams` made of the message. */
  readonly params: string;
  /** Who calls; `undefined` for nobody in particular, which no text is equal to. */
  readonly principal: string | undefined;
}

/**
 * What can be read of a token before it is opened. The header has a fixed length and the id of the key tells its own, so
 * different parts give different bytes, whatever content follows.
 */
export function frameOf({ header, keyId }: Pick<StateToken, 'header' | 'keyId'>): Buffer {
  return Buffer.concat([header, Buffer.from([keyId.length]), Buffer.from(keyId, 'latin1')]);
}

/**
 * Stands for a binding within a token. It has a key and the frame of its token, so it tells a reader of signed tokens
 * nothing, not even that two of them have equal bindings.
 */
export function markOf(key: KeyObject, frame: Uint8Array, binding: StateBinding): Buffer {
  const { name, server, method, params, principal } = binding;
  const hmac = createHmac('sha256', key).update(frame);
  for (const field of [name, server, method, params, principal]) {
    // Every field says first how long it is. UTF-16, since UTF-8 has one form for all lone surrogates.
    if (field === undefined) hmac.update('none;');
    else hmac.update(`${field.length}:`).update(field, 'utf16le');
  }
  return hmac.digest();
}

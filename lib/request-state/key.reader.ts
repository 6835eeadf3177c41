import { randomBytes } from 'node:crypto';

import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { StateKey } from './state-sealer-options.interface.js';

/** Name of the environment variable whose text `readKeys` parses. */
export const KEYS_VARIABLE = 'MCP_REQUEST_STATE_KEYS';

const SECRET_BYTES = 32;
const LEAST_DIFFERENT = 8;
const MAX_KEYS = 8;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
const CURE = 'Make one with "openssl rand -base64 32".';

/** A validated key. */
export interface KeyMaterial {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** At least one key, in the order of the option. */
export type KeyMaterials = readonly [KeyMaterial, ...KeyMaterial[]];

/** Creates a key for servers without configured keys: tokens open only in this process, and not after a restart. */
export function randomKey(): StateKey {
  return { id: 'process', secret: randomBytes(SECRET_BYTES) };
}

/**
 * Reads `id:secret,id:secret`, the form of the variable `MCP_REQUEST_STATE_KEYS`. The first colon ends the id, a comma
 * ends the secret, and white space around both is ignored.
 *
 * @throws InvalidOptionsError with the position of the entry and the fix, but without its text.
 */
export function readKeys(text: string): readonly StateKey[] {
  if (text.trim() === '') throw new InvalidOptionsError(KEYS_VARIABLE, 'it is empty. Write id:secret,id:secret.');
  const keys = text.split(',').map((entry, index) => readEntry(entry.trim(), `${KEYS_VARIABLE}[${index}]`));
  requireKeys(keys, KEYS_VARIABLE);
  return keys;
}

function readEntry(entry: string, option: string): StateKey {
  if (entry === '') throw new InvalidOptionsError(option, 'this entry is empty. Remove the comma.');
  const colon = entry.indexOf(':');
  if (colon === -1) {
    throw new InvalidOptionsError(option, 'it has no colon. Write id:secret; a secret cannot hold a comma.');
  }
  return { id: entry.slice(0, colon).trim(), secret: entry.slice(colon + 1).trim() };
}

/**
 * Validates the keys of an option.
 *
 * @throws InvalidOptionsError with the position of the key, but without its id or secret.
 */
export function requireKeys(keys: unknown, option: string): KeyMaterials {
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new InvalidOptionsError(option, 'it must be a list of at least one key, { id, secret }.');
  }
  if (keys.length > MAX_KEYS) {
    throw new InvalidOptionsError(
      option,
      `it holds ${keys.length} keys, and may hold ${MAX_KEYS}. Remove those whose last tokens have expired.`,
    );
  }
  const places = new Map<string, number>();
  const materials = (keys as readonly unknown[]).map((key, index) => {
    const place = `${option}[${index}]`;
    const material = requireKey(key, place);
    const earlier = places.get(material.id);
    if (earlier !== undefined) {
      throw new InvalidOptionsError(`${place}.id`, `the key at place ${earlier} has the same. Give every key its own.`);
    }
    places.set(material.id, index);
    return material;
  });
  return materials as unknown as KeyMaterials;
}

function requireKey(key: unknown, place: string): KeyMaterial {
  if (typeof key !== 'object' || key === null) {
    throw new InvalidOptionsError(place, 'it must be an object, { id, secret }.');
  }
  const { id, secret } = key as Partial<Record<keyof StateKey, unknown>>;
  if (typeof id !== 'string' || !KEY_ID.test(id)) {
    throw new InvalidOptionsError(`${place}.id`, 'it must be 1 to 32 of the characters A-Z, a-z, 0-9, "_" and "-".');
  }
  return { id, bytes: requireSecret(secret, `${place}.secret`) };
}

function requireSecret(secret: unknown, option: string): Uint8Array {
  if (secret instanceof Uint8Array) return requireStrength(secret, secret, option);
  if (typeof secret !== 'string') throw new InvalidOptionsError(option, 'it must be a text or a Uint8Array.');
  if (HEX.test(secret)) {
    const bytes = Buffer.from(secret, 'hex');
    return requireStrength(bytes, bytes, option);
  }
  return requireStrength(textBytes(secret), Array.from(secret), option);
}

/** A passphrase of base64url characters may be decoded as base64url, since that loses no entropy. */
function textBytes(secret: string): Uint8Array {
  const bytes = Buffer.from(secret, 'base64url');
  return bytes.toString('base64url') === secret ? bytes : Buffer.from(secret, 'utf8');
}

/** `units` are the bytes or characters by which the length of the secret is measured. */
function requireStrength(bytes: Uint8Array, units: ArrayLike<string | number>, option: string): Uint8Array {
  const unit = units instanceof Uint8Array ? 'bytes' : 'characters';
  if (units.length < SECRET_BYTES) {
    throw new InvalidOptionsError(option, `it has ${units.length} ${unit}, and needs ${SECRET_BYTES}. ${CURE}`);
  }
  if (new Set(Array.from(units)).size < LEAST_DIFFERENT) {
    throw new InvalidOptionsError(option, `it has fewer than ${LEAST_DIFFERENT} different ${unit}. ${CURE}`);
  }
  return bytes;
}

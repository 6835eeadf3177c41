import { isFields } from './fields.js';
import type { MetadataFault } from './metadata-fault.js';

const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const KEY = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`);
const RESERVED = new RegExp(`^${LABEL}\\.(?:mcp|modelcontextprotocol)[./]`, 'i');

/**
 * Whether a key is a valid key of `_meta`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export const isMetaKey = (key: string): boolean => KEY.test(key);

/** Finds keys that authors may not write into `_meta`: invalid keys, and keys that the protocol reserves. */
export function findMetaFault(meta: unknown): MetadataFault | undefined {
  if (!isFields(meta)) return { place: '', reason: 'it must be an object.' };
  for (const key of Object.keys(meta)) {
    const place = `[${JSON.stringify(key)}]`;
    if (!isMetaKey(key)) {
      return {
        place,
        reason:
          'it is not a valid key of _meta. Use letters, digits, "-", "_" and ".", after a domain of yours, as in "example.com/note".',
      };
    }
    if (RESERVED.test(key)) {
      return { place, reason: 'its prefix belongs to the protocol. Use a domain of yours, as in "example.com/note".' };
    }
  }
  return undefined;
}

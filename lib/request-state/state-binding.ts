import { createHmac, type KeyObject } from 'node:crypto';

import type { StateToken } from './state-token.js';

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

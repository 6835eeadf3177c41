import { createHash } from 'node:crypto';

import type { StateToken } from './state-token.js';

/** What a token is good for; it opens for exactly the same and nothing else. */
export interface StateBinding {
  /** Name of the server. */
  readonly server: string;
  readonly method: string;
  /** What `canonicalParams` made of the message. */
  readonly params: string;
  /** Who calls; `undefined` for nobody in particular, which no text is equal to. */
  readonly principal: string | undefined;
}

/**
 * All that a token is sealed with besides its content. Header and digest have fixed lengths and the id of the key tells
 * its own, so different parts give different bytes, whatever content follows.
 */
export function bindToken({ header, keyId }: Pick<StateToken, 'header' | 'keyId'>, binding: StateBinding): Buffer {
  return Buffer.concat([header, digestBinding(binding), Buffer.from([keyId.length]), Buffer.from(keyId, 'latin1')]);
}

/** Every field says first how long it is. UTF-16, since UTF-8 has one form for all lone surrogates. */
function digestBinding({ server, method, params, principal }: StateBinding): Buffer {
  const hash = createHash('sha256');
  for (const field of [server, method, params, principal]) {
    if (field === undefined) hash.update('none;');
    else hash.update(`${field.length}:`).update(field, 'utf16le');
  }
  return hash.digest();
}

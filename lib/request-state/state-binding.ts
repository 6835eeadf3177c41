import { createHash } from 'node:crypto';

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
 * Different bindings have different digests: every field says first how long it is. UTF-16, since UTF-8 has one form for
 * all lone surrogates.
 */
export function digestBinding({ server, method, params, principal }: StateBinding): Buffer {
  const hash = createHash('sha256');
  for (const field of [server, method, params, principal]) {
    if (field === undefined) hash.update('none;');
    else hash.update(`${field.length}:`).update(field, 'utf16le');
  }
  return hash.digest();
}

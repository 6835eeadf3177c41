import type { ExchangeHead, Refusal, ReplyForms } from '../../wire/exchange.js';
import { parseAccept } from '../../wire/media-type.js';
import { refuse } from '../../wire/refusal.js';

export type AcceptVerdict =
  { readonly ok: true; readonly forms: ReplyForms } | { readonly ok: false; readonly refusal: Refusal };

/** A client that takes neither form cannot be answered at all; one that takes only JSON gets JSON. */
export class AcceptCheck {
  check({ headers }: ExchangeHead): AcceptVerdict {
    const accept = headers['accept'];
    const forms = parseAccept(typeof accept === 'string' ? accept : accept?.join(','));
    if (forms.json || forms.sse) return { ok: true, forms };
    return {
      ok: false,
      refusal: refuse(406, 'Send Accept: application/json, text/event-stream', { closeConnection: true }),
    };
  }
}

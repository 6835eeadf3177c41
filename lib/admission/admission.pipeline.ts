import { Injectable } from '@nestjs/common';

import type { BodyReading, Exchange, ExchangeHead, Refusal, ReplyForms } from '../wire/exchange.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../wire/json-rpc.js';
import type { AdmissionOptions } from './admission-options.interface.js';
import { AcceptCheck, type AcceptVerdict } from './checks/accept.check.js';
import { BodyCheck } from './checks/body.check.js';
import { ContentTypeCheck } from './checks/content-type.check.js';
import { MessageCheck } from './checks/message.check.js';
import { Door } from './door.js';

export interface AdmittedRequest {
  readonly kind: 'request';
  readonly message: JsonRpcRequest;
  /** The message itself, as it arrived. */
  readonly body: Uint8Array | string;
  readonly forms: ReplyForms;
}

export type Admission =
  | AdmittedRequest
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const EVERY_FORM: AcceptVerdict = { ok: true, forms: { json: true, sse: true } };

/** The checks in order; the first refusal wins. */
@Injectable()
export class AdmissionPipeline {
  private readonly door: Door;
  private readonly contentTypeCheck = new ContentTypeCheck();
  private readonly acceptCheck = new AcceptCheck();
  private readonly bodyCheck = new BodyCheck();
  private readonly messageCheck = new MessageCheck();

  constructor(options: AdmissionOptions) {
    this.door = new Door(options);
  }

  /** Origin and Host, then the method; needs nothing but the head, so it can run before anything of the app does. */
  screen(head: ExchangeHead): Refusal | undefined {
    return this.door.screen(head);
  }

  /** Everything that needs no body, so that nothing is read for a request that is refused anyway. */
  admitHead({ head, screened }: Exchange): AcceptVerdict {
    if (head === undefined) return EVERY_FORM;
    const refusal = (screened === true ? undefined : this.screen(head)) ?? this.contentTypeCheck.check(head);
    return refusal === undefined ? this.acceptCheck.check(head) : { ok: false, refusal };
  }

  /** The body as one message. */
  admitBody(reading: BodyReading, forms: ReplyForms): Admission {
    const body = this.bodyCheck.check(reading);
    if (!body.ok) return { kind: 'refused', refusal: body.refusal };
    const verdict = this.messageCheck.check(body.value);
    return verdict.kind === 'request'
      ? { kind: 'request', message: verdict.message, body: body.bytes, forms }
      : verdict;
  }
}

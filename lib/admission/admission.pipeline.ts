import { Injectable } from '@nestjs/common';

import type { BodyReading, Exchange, ExchangeHead, Refusal, ReplyForms } from '../wire/exchange.js';
import { countHeader, isJsonContentType, parseAccept } from '../wire/headers.js';
import { decodeJson } from '../wire/json.decoder.js';
import { decodeMessage, encodeError } from '../wire/json-rpc.codec.js';
import { PARSE_ERROR, type JsonRpcNotification, type JsonRpcRequest } from '../wire/json-rpc.js';
import { refuse } from '../wire/refusal.js';
import type { AdmissionOptions } from './admission-options.interface.js';
import { OriginScreening } from './origin.screening.js';

/** The forms of a response that the client accepts. */
export type AcceptVerdict =
  | { readonly ok: true; readonly forms: ReplyForms }
  | { readonly ok: false; readonly refusal: Refusal };

type MessageVerdict =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

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
  private readonly screening: OriginScreening;

  constructor(options: AdmissionOptions) {
    this.screening = new OriginScreening(options);
  }

  /** Origin and Host, then the method; needs only the request head, so it can run before any code of the app. */
  screen(head: ExchangeHead): Refusal | undefined {
    return this.screening.screen(head);
  }

  /** All checks that need no body, so that no body is read for a request that is refused anyway. */
  admitHead({ head, screened }: Exchange): AcceptVerdict {
    if (head === undefined) return EVERY_FORM;
    const refusal = (screened === true ? undefined : this.screen(head)) ?? refuseContentType(head);
    return refusal === undefined ? checkAccept(head) : { ok: false, refusal };
  }

  /** Parses the body as one message. */
  admitBody(reading: BodyReading, forms: ReplyForms): Admission {
    if (!reading.ok) return { kind: 'refused', refusal: reading.refusal };
    const decoding = decodeJson(reading.bytes);
    if (!decoding.ok) {
      return { kind: 'refused', refusal: refuse(400, `Parse error: ${decoding.reason}`, { code: PARSE_ERROR }) };
    }
    const verdict = checkMessage(decoding.value);
    return verdict.kind === 'request'
      ? { kind: 'request', message: verdict.message, body: reading.bytes, forms }
      : verdict;
  }
}

function refuseContentType({ contentType, rawHeaders }: ExchangeHead): Refusal | undefined {
  if (contentType === undefined || !isJsonContentType(contentType)) {
    return refuse(415, 'Send Content-Type: application/json', { closeConnection: true });
  }
  // Code that reads another value than Node does has checked another request.
  return countHeader(rawHeaders, 'content-type') > 1
    ? refuse(415, 'Send one Content-Type header', { closeConnection: true })
    : undefined;
}

/** A client that accepts neither form cannot be answered at all; a client that accepts only JSON gets JSON. */
function checkAccept({ headers }: ExchangeHead): AcceptVerdict {
  const accept = headers['accept'];
  const forms = parseAccept(typeof accept === 'string' ? accept : accept?.join(','));
  if (forms.json || forms.sse) return { ok: true, forms };
  return {
    ok: false,
    refusal: refuse(406, 'Send Accept: application/json, text/event-stream', { closeConnection: true }),
  };
}

/** One JSON-RPC request or notification, not a batch. The server sends no requests, so a response is refused too. */
export function checkMessage(value: unknown): MessageVerdict {
  const decoding = decodeMessage(value);
  switch (decoding.kind) {
    case 'request':
      return { kind: 'request', message: decoding };
    case 'notification':
      return { kind: 'notification', message: decoding };
    case 'response':
      return { kind: 'refused', refusal: refuse(400, 'Responses are not accepted here', { unawaited: true }) };
    case 'invalid': {
      const { id, code, message, notification: unawaited } = decoding;
      const refusal = { status: 400, body: encodeError(id, { code, message }) };
      return { kind: 'refused', refusal: unawaited ? { ...refusal, unawaited } : refusal };
    }
    default:
      return decoding satisfies never;
  }
}

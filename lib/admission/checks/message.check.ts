import type { Refusal } from '../../wire/exchange.js';
import { decodeMessage } from '../../wire/json-rpc.decoder.js';
import { encodeError } from '../../wire/json-rpc.encoder.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../wire/json-rpc.js';
import { refuse } from '../../wire/refusal.js';

export type MessageVerdict =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** One JSON-RPC request or notification; a batch is neither, and a response belongs to no request of ours. */
export class MessageCheck {
  check(value: unknown): MessageVerdict {
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
}

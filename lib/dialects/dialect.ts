import type { OutgoingEvent } from '../model/event.js';
import type { Fault } from '../model/fault.js';
import type { OperationRequest } from '../model/operation.js';
import type { Outcome } from '../model/outcome.js';
import type { Caller } from '../model/peer.js';
import type { ExchangeHead, OutgoingMessage } from '../wire/exchange.js';
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../wire/json-rpc.js';

/** A request as it arrived: its message, its head if it has one, and its sender. */
export interface Incoming {
  readonly message: JsonRpcRequest;
  readonly head: ExchangeHead | undefined;
  readonly caller: Caller;
  /** The message itself, as it arrived. */
  readonly body: Uint8Array | string;
}

/** The meaning of a client's notification; `undefined` if it has none here. */
export interface CancelNotice {
  readonly kind: 'cancel';
  readonly requestId: RequestId;
}

export type Decoding =
  | { readonly ok: true; readonly request: OperationRequest }
  | { readonly ok: false; readonly fault: Fault };

/** One revision of the protocol: decodes messages to operations, and encodes their outcomes. */
export abstract class Dialect {
  abstract readonly revision: string;

  abstract decode(incoming: Incoming): Decoding;

  /** Notifications are never answered, so a malformed notification is ignored. */
  abstract decodeNotification(message: JsonRpcNotification): CancelNotice | undefined;

  abstract encodeOutcome(outcome: Outcome, request: OperationRequest): OutgoingMessage;

  abstract encodeEvent(event: OutgoingEvent, request: OperationRequest): OutgoingMessage;

  /** The answer to a request that never became an operation. */
  abstract encodeFault(fault: Fault, id: RequestId | undefined): OutgoingMessage;
}

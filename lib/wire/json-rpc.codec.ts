import { Buffer } from 'node:buffer';

import { isFields } from '../model/fields.js';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  JSON_RPC_VERSION,
  type JsonRpcParams,
  type RequestId,
  type JsonRpcError,
} from './json-rpc.js';

export const MAX_ID_BYTES = 256;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

export interface DecodedRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonRpcParams | undefined;
}

export interface DecodedNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonRpcParams | undefined;
}

/** `message` never quotes the input. `notification`: the message has a method but no `id`, so it is not answered. */
export interface InvalidMessage {
  readonly kind: 'invalid';
  readonly id?: RequestId;
  readonly notification: boolean;
  readonly code: number;
  readonly message: string;
}

export type MessageDecoding = DecodedRequest | DecodedNotification | { readonly kind: 'response' } | InvalidMessage;

/** Decodes one parsed JSON value as a message; keeps a valid id of an invalid message, so that the sender can match the error. */
export function decodeMessage(value: unknown): MessageDecoding {
  if (Array.isArray(value)) return invalidRequest('batches are not supported');
  if (!isFields(value)) return invalidRequest('a message is an object');
  const hasMethod = Object.hasOwn(value, 'method');
  return hasMethod ? decodeCall(value) : decodeRest(value);
}

/** Whether a value is a valid request id or progress token: a string of at most 256 bytes, or a 64-bit integer. */
export function isBoundedId(value: unknown): value is RequestId {
  switch (typeof value) {
    case 'string':
      // A UTF-16 unit takes at least one byte, so the bytes of long strings need not be counted.
      return value.length <= MAX_ID_BYTES && Buffer.byteLength(value) <= MAX_ID_BYTES;
    case 'number':
      return Number.isSafeInteger(value);
    case 'bigint':
      return value >= MIN_INT64 && value <= MAX_INT64;
    default:
      return false;
  }
}

function decodeCall(value: JsonRpcParams): MessageDecoding {
  const { jsonrpc, method, params } = value;
  const isNotification = typeof method === 'string' && !Object.hasOwn(value, 'id');
  const id = isBoundedId(value.id) ? value.id : undefined;
  if (jsonrpc !== JSON_RPC_VERSION) return invalidCall(id, isNotification, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') return invalidRequest('method must be a string', id);
  if (!isNotification && id === undefined) {
    return invalidRequest(`id must be an integer of 64 bits or a string of at most ${MAX_ID_BYTES} bytes`);
  }
  if (params !== undefined && !isFields(params)) {
    return { ...invalidCall(id, isNotification, 'params must be an object'), code: INVALID_PARAMS };
  }
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
}

function decodeRest(value: JsonRpcParams): MessageDecoding {
  const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  if (value.jsonrpc === JSON_RPC_VERSION && isResponse) return { kind: 'response' };
  return invalidRequest('method is missing', !isResponse && isBoundedId(value.id) ? value.id : undefined);
}

function invalidCall(id: RequestId | undefined, notification: boolean, message: string): InvalidMessage {
  return { ...invalidRequest(message, id), notification };
}

function invalidRequest(reason: string, id?: RequestId): InvalidMessage {
  const message = `Invalid message: ${reason}`;
  const invalid = { kind: 'invalid', notification: false, code: INVALID_REQUEST, message } as const;
  return id === undefined ? invalid : { ...invalid, id };
}

const HEAD = '{"jsonrpc":"2.0"';

/**
 * Encodes a value of a handler as JSON. A `bigint` becomes the nearest number (Node 20 cannot write raw digits), and a
 * top-level value that JSON omits, such as `undefined`, becomes `null`.
 *
 * @throws TypeError on cycles.
 */
export function stringifyJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // A replacer slows every call down, so only values that need it pay; a cycle throws again.
    text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item));
  }
  return text ?? 'null';
}

/** Encodes an id; a `bigint` keeps all digits. */
export function encodeId(id: RequestId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id);
}

/** Encodes a response in one pass, since joining large texts takes longer. */
export function encodeResponse(id: RequestId, result: object): string {
  // JSON.stringify refuses a bigint, so its digits are inserted afterwards.
  return typeof id === 'bigint'
    ? encodeResult(id, JSON.stringify(result))
    : JSON.stringify({ jsonrpc: JSON_RPC_VERSION, id, result });
}

/** Encodes a response with a result that is already encoded. */
export function encodeResult(id: RequestId, resultText: string): string {
  return `${HEAD},"id":${encodeId(id)},"result":${resultText}}`;
}

/** Encodes an error; `id` is left out if the id of the request could not be read. */
export function encodeError(id: RequestId | undefined, error: JsonRpcError): string {
  const idMember = id === undefined ? '' : `,"id":${encodeId(id)}`;
  const { code, message, data } = error;
  const errorText = stringifyJson(data === undefined ? { code, message } : { code, message, data });
  return `${HEAD}${idMember},"error":${errorText}}`;
}

export function encodeNotification(method: string, paramsText?: string): string {
  const params = paramsText === undefined ? '' : `,"params":${paramsText}`;
  return `${HEAD},"method":${JSON.stringify(method)}${params}}`;
}

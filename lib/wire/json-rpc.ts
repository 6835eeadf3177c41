/** A string of at most 256 bytes or an integer of 64 bits; a `bigint` only where a number would not be exact. */
export type RequestId = string | number | bigint;

export type JsonRpcParams = Readonly<Record<string, unknown>>;

export interface JsonRpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonRpcParams;
}

export interface JsonRpcNotification {
  readonly method: string;
  readonly params?: JsonRpcParams;
}

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export const JSON_RPC_VERSION = '2.0';

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

import type { JsonRpcError, RequestId } from './json-rpc.js';

const HEAD = '{"jsonrpc":"2.0"';

/**
 * JSON of a value from a handler. A `bigint` becomes the nearest number (Node 20 cannot write raw digits), and what
 * JSON leaves out at the top, such as `undefined`, becomes `null`.
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

/** A `bigint` keeps its digits. */
export function encodeId(id: RequestId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id);
}

export function encodeResult(id: RequestId, resultText: string): string {
  return `${HEAD},"id":${encodeId(id)},"result":${resultText}}`;
}

/** Without an id that could be read, the member is left out. */
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

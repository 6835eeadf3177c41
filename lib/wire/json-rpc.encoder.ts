import { JSON_RPC_VERSION, type JsonRpcError, type RequestId } from './json-rpc.js';

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

/** A response in one pass: joining large texts takes longer than writing them. */
export function encodeResponse(id: RequestId, result: object): string {
  // JSON has no word for a bigint, so its digits are put in afterwards.
  return typeof id === 'bigint'
    ? encodeResult(id, JSON.stringify(result))
    : JSON.stringify({ jsonrpc: JSON_RPC_VERSION, id, result });
}

/** A response around a result that was written before. */
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

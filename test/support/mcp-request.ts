export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
} as const;

export interface RequestParts {
  readonly id?: unknown;
  /** Merged over the standard headers; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Merged over the standard `_meta`; `undefined` leaves a key out. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface PostedRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** A well-formed request of revision 2026-07-28, with whatever a test wants to be different. */
export function mcpRequest(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { id = 1, headers = {}, meta = {} }: RequestParts = {},
): PostedRequest {
  const name = NAMED[method] === undefined ? undefined : params[NAMED[method]];
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': typeof name === 'string' ? headerValue(name) : undefined,
    ...headers,
  };
  return {
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...meta } } }),
  };
}

/** Written here once more, so that the library's own encoder is not its only judge. */
function headerValue(value: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

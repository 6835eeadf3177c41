/** What an answer may hold, as far as the checks look. */
export interface Answer {
  status: number;
  body: {
    result?: { supportedVersions?: string[]; content?: unknown[]; isError?: boolean };
    error?: { code: number; message: string };
  };
}

/** Posts one request as a 2026-07-28 client does. */
export async function ask(url: string, method: string, params: Record<string, unknown>): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'consumer-check', version: '1.0.0' },
        },
      },
    }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

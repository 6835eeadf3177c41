const REVISION = '2026-07-28';

/** What to paste where, so that the first call needs no manual. */
export function connectionHints(url: string): string {
  return [
    `MCP endpoint: ${url}`,
    '',
    'Call a tool:',
    curlLine(url),
    '',
    `In the configuration of a client that speaks revision ${REVISION}:`,
    JSON.stringify({ mcpServers: { library: { type: 'http', url } } }, undefined, 2),
  ].join('\n');
}

function curlLine(url: string): string {
  const name = 'search_books';
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
  };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: { text: 'austen' }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const options = Object.entries(headers).map(([header, value]) => `-H '${header}: ${value}'`);
  return ['curl', '-s', url, ...options, '-d', `'${body}'`].join(' ');
}

const REVISION = '2026-07-28';

/** What to paste into a second terminal. */
export function connectionHints(url: string): string {
  const print = { name: 'print', arguments: { title: 'Minutes', pages: 3 } };
  return [
    `MCP endpoint: ${url}`,
    '',
    'Print as Ada:',
    curlLine(url, print, 'badge-ada'),
    '',
    'Show the queue to Bob:',
    curlLine(url, { name: 'show_queue', arguments: {} }, 'badge-bob'),
    '',
    'Print without a badge:',
    curlLine(url, print),
  ].join('\n');
}

function curlLine(url: string, params: { readonly name: string; readonly arguments: object }, badge?: string): string {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': params.name,
    ...(badge === undefined ? {} : { Authorization: `Bearer ${badge}` }),
  };
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: envelope } });
  const options = Object.entries(headers).map(([header, value]) => `-H '${header}: ${value}'`);
  return ['curl', '-s', url, ...options, '-d', `'${body}'`].join(' ');
}

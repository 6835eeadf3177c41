const REVISION = '2026-07-28';

/** What to paste where: each line is a call, and the tool can be exchanged for one of its two siblings. */
export function connectionHints(url: string): string {
  return [
    `MCP endpoint: ${url}`,
    '',
    'See what clients see:',
    curlLine(url, 'tools/list', {}),
    '',
    'Order a cake:',
    callLine(url, 'order_by_dto', { flavour: 'lemon', day: '2030-05-04' }),
    '',
    'Order one that cannot be, and read why:',
    callLine(url, 'order_by_zod', { flavour: 'liver', guests: '8', day: '2030-05-04' }),
    '',
    'Order one for a Monday, which no JSON Schema can tell:',
    callLine(url, 'order_by_json_schema', { flavour: 'lemon', day: '2030-05-06' }),
  ].join('\n');
}

function callLine(url: string, name: string, args: object): string {
  return curlLine(url, 'tools/call', { name, arguments: args }, { 'Mcp-Name': name });
}

function curlLine(url: string, method: string, params: object, mirrored: Record<string, string> = {}): string {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': method,
    ...mirrored,
  };
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
  const options = Object.entries(headers).map(([header, value]) => `-H '${header}: ${value}'`);
  return ['curl', '-s', url, ...options, '-d', `'${body}'`].join(' ');
}

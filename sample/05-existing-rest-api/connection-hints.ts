const REVISION = '2026-07-28';
const KIM = 'key-of-kim';
const LEE = 'key-of-lee';

/** What to paste where: everything twice, as a request of the API and as a call of a tool. */
export function connectionHints(origin: string): string {
  return [
    `REST API: ${origin}/orders`,
    `MCP endpoint: ${origin}/mcp`,
    '',
    'Look up an order, both ways:',
    routeLine(origin, KIM, 'GET /orders/1'),
    callLine(origin, KIM, 'get_order', { id: 1 }),
    '',
    'Cancel one without being a manager, both ways:',
    routeLine(origin, KIM, 'DELETE /orders/2'),
    callLine(origin, KIM, 'cancel_order', { id: 2 }),
    '',
    'Cancel one as a manager:',
    callLine(origin, LEE, 'cancel_order', { id: 3 }),
  ].join('\n');
}

function routeLine(origin: string, key: string, route: string): string {
  const [method = '', path = ''] = route.split(' ');
  return `curl -s -X ${method} ${origin}${path} -H 'x-api-key: ${key}'`;
}

function callLine(origin: string, key: string, name: string, args: object): string {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
    'x-api-key': key,
  };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: args, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const options = Object.entries(headers).map(([header, value]) => `-H '${header}: ${value}'`);
  return ['curl', '-s', `${origin}/mcp`, ...options, '-d', `'${body}'`].join(' ');
}

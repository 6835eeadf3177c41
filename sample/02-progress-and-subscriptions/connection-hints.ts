import { KILN_URI } from './studio.resources.js';

const REVISION = '2026-07-28';

/** What to paste where: the first line into a terminal of its own, the others into a second one. */
export function connectionHints(url: string): string {
  const listen = { notifications: { toolsListChanged: true, resourceSubscriptions: [KILN_URI] } };
  const meta = { progressToken: 'demo', 'io.modelcontextprotocol/logLevel': 'info' };
  return [
    `MCP endpoint: ${url}`,
    '',
    'Listen to what happens, in a terminal of its own:',
    curlLine(url, 'subscriptions/listen', listen),
    '',
    'Glaze some pots:',
    callLine(url, 'glaze_pots', { pots: ['bowl', 'jug', 'cup'], colour: 'celadon' }, meta),
    '',
    'Fire them, and watch both terminals:',
    callLine(url, 'fire_kiln', { pots: ['celadon bowl', 'celadon jug', 'celadon cup'] }, meta),
    '',
    'Open the kiln, with a tool that was not there before:',
    callLine(url, 'open_kiln', {}, {}),
  ].join('\n');
}

function callLine(url: string, name: string, args: object, meta: object): string {
  return curlLine(url, 'tools/call', { name, arguments: args }, meta, { 'Mcp-Name': name });
}

function curlLine(
  url: string,
  method: string,
  params: object,
  meta: object = {},
  mirrored: Record<string, string> = {},
): string {
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
    ...meta,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
  const options = Object.entries(headers).map(([header, value]) => `-H '${header}: ${value}'`);
  return ['curl', '-sN', url, ...options, '-d', `'${body}'`].join(' ');
}

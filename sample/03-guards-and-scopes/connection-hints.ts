const REVISION = '2026-07-28';

/** What to paste where: the same requests with the tokens of different people. */
export function connectionHints(url: string): string {
  return [
    `MCP endpoint: ${url}`,
    '',
    'Write a story, as Tom:',
    callLine(url, 'tom', 'write_story', { headline: 'Cat reads newspaper' }),
    '',
    'Look at the desk, first as Tom, then as Zoë:',
    callLine(url, 'tom', 'my_drafts', {}),
    callLine(url, 'zoe', 'my_drafts', {}),
    '',
    'Publish it, first as Tom, then as Zoë, who is an editor:',
    callLine(url, 'tom', 'publish_story', { number: 1 }),
    callLine(url, 'zoe', 'publish_story', { number: 1 }),
    '',
    'Read the front page, as Gil, who is a guest:',
    curlLine(url, 'gil', 'resources/read', 'newsroom://front-page', { uri: 'newsroom://front-page' }),
  ].join('\n');
}

function callLine(url: string, person: string, name: string, args: object): string {
  return curlLine(url, person, 'tools/call', name, { name, arguments: args });
}

function curlLine(url: string, person: string, method: string, name: string, params: object): string {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': method,
    'Mcp-Name': name,
    Authorization: `Bearer token-of-${person}`,
  };
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
  const options = Object.entries(headers).map(([header, value]) => `-H '${header}: ${value}'`);
  return ['curl', '-s', url, ...options, '-d', `'${body}'`].join(' ');
}

const REVISION = '2026-07-28';

/** What to paste where. */
export function connectionHints(file: string): string {
  return [
    'Call a tool: paste this line, and press Ctrl+D to end.',
    requestLine(),
    '',
    `In the configuration of a client that speaks revision ${REVISION}:`,
    JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: [file] } } }, undefined, 2),
  ].join('\n');
}

function requestLine(): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'write_note', arguments: { text: 'Water the plants' }, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

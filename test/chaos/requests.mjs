const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A well-formed request, as headers and body. */
export function mcpRequest(method, params = {}, { id, token, headers = {} } = {}) {
  const meta = { ...META, ...(token === undefined ? {} : { progressToken: token }) };
  const message = { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params: { ...params, _meta: meta } };
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(method === 'tools/call' ? { 'mcp-name': params.name } : {}),
      ...headers,
    },
    body: JSON.stringify(message),
  };
}

export function toolCall(name, args, options) {
  return mcpRequest('tools/call', { name, arguments: args }, options);
}

export function cancelOf(requestId, headers) {
  return mcpRequest('notifications/cancelled', { requestId }, { headers });
}

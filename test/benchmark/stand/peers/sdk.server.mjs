import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { catalogue, requestedTools, SERVER } from '../../workload/catalogue.mjs';

const TOOLS = catalogue(z, requestedTools());
const BODIES = {
  echo: ({ text }) => ({ content: [{ type: 'text', text }] }),
  add: ({ a, b }) => ({
    content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }],
    structuredContent: { sum: a + b },
  }),
  count: async ({ to }, { mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const { progressToken } = meta;
    for (let progress = 1; progress <= to; progress += 1) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: to } });
    }
    return { content: [{ type: 'text', text: String(to) }] };
  },
};

/** A server of the official SDK, as its documentation makes one; the schemas are made once. */
export function createServer() {
  const server = new McpServer(SERVER);
  for (const { name, description, input, output } of TOOLS) {
    const config = { description, inputSchema: input, ...(output === undefined ? {} : { outputSchema: output }) };
    server.registerTool(name, config, BODIES[name] ?? (({ id }) => ({ content: [{ type: 'text', text: id }] })));
  }
  return server;
}

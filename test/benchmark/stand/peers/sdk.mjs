import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { announce } from '../../measure/probe.mjs';
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

/** The official SDK on `node:http`, by its documented handler: a server for each request, schemas made once. */
const handler = createMcpHandler(
  () => {
    const server = new McpServer(SERVER);
    for (const { name, description, input, output } of TOOLS) {
      const config = { description, inputSchema: input, ...(output === undefined ? {} : { outputSchema: output }) };
      server.registerTool(name, config, BODIES[name] ?? (({ id }) => ({ content: [{ type: 'text', text: id }] })));
    }
    return server;
  },
  { maxSubscriptions: 2_000 },
);

const answer = toNodeHandler(handler);
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => announce(server.address().port, () => handler.notify.toolsChanged()));

import { z } from 'zod';
import { catalogue, requestedTools, SERVER } from '../workload/catalogue.mjs';

const META = { 'io.modelcontextprotocol/serverInfo': SERVER };

const TOOLS = catalogue(z, requestedTools()).map(({ name, description, input, output }) => ({
  name,
  description,
  inputSchema: jsonSchemaOf(input, 'input'),
  ...(output === undefined ? {} : { outputSchema: jsonSchemaOf(output, 'output') }),
}));

/** Without the dialect's URI, as the library lists it. */
function jsonSchemaOf(schema, io) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

/** The JSON that an MCP server would answer, without looking at anything that it would have to check. */
export function answerTo({ id, method, params }) {
  return { jsonrpc: '2.0', id, result: method === 'tools/list' ? listed() : called(params) };
}

function listed() {
  return { tools: TOOLS, resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: META };
}

function called({ name, arguments: args }) {
  if (name === 'echo') return { content: [{ type: 'text', text: args.text }], resultType: 'complete', _meta: META };
  if (name === 'count') {
    return { content: [{ type: 'text', text: String(args.to) }], resultType: 'complete', _meta: META };
  }
  const sum = { sum: args.a + args.b };
  return {
    content: [{ type: 'text', text: JSON.stringify(sum) }],
    structuredContent: sum,
    resultType: 'complete',
    _meta: META,
  };
}

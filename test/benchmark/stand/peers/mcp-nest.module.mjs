import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { announce } from '../../measure/probe.mjs';
import { catalogue, requestedTools, SERVER } from '../../workload/catalogue.mjs';

class Tools {}

const BODIES = {
  echo: ({ text }) => ({ content: [{ type: 'text', text }] }),
  add: ({ a, b }) => ({
    content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }],
    structuredContent: { sum: a + b },
  }),
  count: async ({ to }, context) => {
    for (let progress = 1; progress <= to; progress += 1) await context.reportProgress({ progress, total: to });
    return { content: [{ type: 'text', text: String(to) }] };
  },
};

for (const { name, description, input, output } of catalogue(z, requestedTools())) {
  const body = BODIES[name] ?? (({ id }) => ({ content: [{ type: 'text', text: id }] }));
  const method = {
    value: (args, context) => body(args, context),
    writable: true,
    enumerable: false,
    configurable: true,
  };
  Object.defineProperty(Tools.prototype, name, method);
  const options = { name, description, parameters: input, ...(output === undefined ? {} : { outputSchema: output }) };
  Reflect.decorate(
    [Tool(options), Reflect.metadata('design:paramtypes', [Object, McpContext])],
    Tools.prototype,
    name,
    method,
  );
  Payload()(Tools.prototype, name, 0);
  if (name === 'count') Ctx()(Tools.prototype, name, 1);
}
McpController()(Tools);

export class McpNestModule {}
Module({ controllers: [Tools] })(McpNestModule);

/** MCP-Nest as its quick start has it. */
export async function serve(app) {
  const transport = new StreamableHttpTransport();
  const strategy = new McpStrategy({ ...SERVER, transports: [transport], logging: false });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  announce(app.getHttpServer().address().port, () => transport.notifyListChanged('tools'));
}

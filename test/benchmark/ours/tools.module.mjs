import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpContext, McpModule, Tool } from '../../../.build/benchmark/index.js';
import { catalogue, requestedTools, SERVER } from '../workload/catalogue.mjs';

/** Gets one method for each tool of the catalogue, decorated as a class in TypeScript would be. */
class Tools {}

const BODIES = {
  echo: ({ text }) => text,
  add: ({ a, b }) => ({ sum: a + b }),
  count: async ({ to }, context) => {
    for (let done = 1; done <= to; done += 1) await context.progress(done, to);
    return String(to);
  },
};

for (const { name, description, input, output } of catalogue(z, requestedTools())) {
  const body = BODIES[name] ?? (({ id }) => id);
  const reports = name === 'count';
  const value = reports ? (args, context) => body(args, context) : (args) => body(args);
  const method = { value, writable: true, enumerable: false, configurable: true };
  Object.defineProperty(Tools.prototype, name, method);
  Reflect.decorate(
    [
      Tool({ name, description, input, ...(output === undefined ? {} : { output }) }),
      Reflect.metadata('design:paramtypes', reports ? [Object, McpContext] : [Object]),
    ],
    Tools.prototype,
    name,
    method,
  );
}
Injectable()(Tools);

export class EveryoneGuard {
  canActivate() {
    return true;
  }
}
Injectable()(EveryoneGuard);

/** The library as documented: one endpoint guard, everything else by default but that one page holds every tool, and room for streams. */
export class ToolsModule {
  static at(place = { http: { guards: [EveryoneGuard] } }) {
    const limits = { maxSubscriptions: 2_000 };
    const server = McpModule.forRoot({ ...SERVER, limits, pageSize: Math.max(100, requestedTools()), ...place });
    return { module: ToolsModule, imports: [server], providers: [Tools] };
  }
}

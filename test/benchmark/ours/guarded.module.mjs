import 'reflect-metadata';
import { Injectable, Module, UseGuards, UseInterceptors } from '@nestjs/common';
import { McpModule, Tool } from '../../../.build/benchmark/index.js';
import { SERVER } from '../workload/catalogue.mjs';
import { CallerGuard, EchoArguments, PassingInterceptor } from '../workload/guarded.mjs';

/** One tool with guard, interceptor and DTO. */
class GuardedTools {
  echo({ text }) {
    return text;
  }
}

const method = Object.getOwnPropertyDescriptor(GuardedTools.prototype, 'echo');
Reflect.decorate(
  [
    Tool({ description: 'Returns the text' }),
    UseGuards(CallerGuard),
    UseInterceptors(PassingInterceptor),
    Reflect.metadata('design:paramtypes', [EchoArguments]),
  ],
  GuardedTools.prototype,
  'echo',
  method,
);
Injectable()(GuardedTools);

export class GuardedToolsModule {}
Module({ imports: [McpModule.forRoot(SERVER)], providers: [GuardedTools] })(GuardedToolsModule);

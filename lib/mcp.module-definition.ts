import { ConfigurableModuleBuilder, type DynamicModule, type Type } from '@nestjs/common';

import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { DEFAULT_SERVER, MCP_CONTROLLER, MCP_OPTIONS, MCP_SCOPE } from './mcp.constants.js';
import type { McpModuleExtras, McpModuleOptions } from './mcp-options.interface.js';
import { listed } from './mcp.option-rules.js';
import { createHttpController } from './transports/http/mcp-http.controller.js';

const EXTRAS: { server: string; include: readonly Type<unknown>[] } = {
  server: DEFAULT_SERVER,
  include: [],
};

/** Adds what every server has of its own: its scope and the class of its endpoint. */
function withEndpoint(definition: DynamicModule, extras: Required<McpModuleExtras>): DynamicModule {
  const include = listed(extras.include, 'include');
  if (typeof extras.server !== 'string' || extras.server === '') {
    throw new InvalidOptionsError('server', 'it must be a string that is not empty.');
  }
  const controller = createHttpController();
  return {
    ...definition,
    controllers: [controller],
    providers: [
      ...(definition.providers ?? []),
      { provide: MCP_SCOPE, useValue: Object.freeze({ server: extras.server, include }) },
      { provide: MCP_CONTROLLER, useValue: controller },
    ],
  };
}

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<McpModuleOptions>({
    moduleName: 'Mcp',
    optionsInjectionToken: MCP_OPTIONS,
    // Two servers with equal options are still two servers.
    alwaysTransient: true,
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMcpOptions')
    .setExtras(EXTRAS, (definition, extras) => withEndpoint(definition, extras))
    .build();

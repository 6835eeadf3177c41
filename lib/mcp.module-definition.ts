import { ConfigurableModuleBuilder, type DynamicModule, type Type } from '@nestjs/common';

import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { DEFAULT_SERVER, MCP_CONTROLLER, MCP_OPTIONS, MCP_SCOPE } from './mcp.constants.js';
import { getMcpToken, INJECTABLES } from './mcp.inject.js';
import type { McpModuleExtras, McpModuleOptions } from './options/mcp-options.interface.js';
import { listed } from './options/option-rules.js';
import { noteCallers } from './schema/class/bundle-text.js';
import { createHttpController } from './transports/http/http.transport.js';

const EXTRAS: { server: string; include: readonly Type<unknown>[]; isGlobal: boolean } = {
  server: DEFAULT_SERVER,
  include: [],
  isGlobal: false,
};

/** Adds the providers that each server needs separately: its scope and the class of its endpoint. */
function withEndpoint(definition: DynamicModule, extras: Required<McpModuleExtras>): DynamicModule {
  noteCallers();
  const include = listed(extras.include, 'include');
  if (typeof extras.server !== 'string' || extras.server === '') {
    throw new InvalidOptionsError('server', 'it must be a string that is not empty.');
  }
  const controller = createHttpController();
  const named = INJECTABLES.map((type) => ({ provide: getMcpToken(type, extras.server), useExisting: type }));
  // Injection by class gives the instances of the default server; other servers need a token.
  const byClass = extras.server === DEFAULT_SERVER ? INJECTABLES : [];
  return {
    ...definition,
    global: extras.isGlobal,
    controllers: [controller],
    providers: [
      ...(definition.providers ?? []),
      { provide: MCP_SCOPE, useValue: Object.freeze({ server: extras.server, include }) },
      { provide: MCP_CONTROLLER, useValue: controller },
      ...named,
    ],
    exports: [...(definition.exports ?? []), ...named.map(({ provide }) => provide), ...byClass],
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

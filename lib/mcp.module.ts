import { Inject, Injectable, Logger, Optional, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { BootReport } from './boot-audit/boot-report.js';
import { ChangeAnnouncer } from './mcp.change-announcer.js';
import { DEFAULT_SERVER, MCP_FEATURE } from './mcp.constants.js';
import { McpLifecycle } from './mcp.lifecycle.js';
import { ConfigurableModuleClass, type ASYNC_OPTIONS_TYPE, type OPTIONS_TYPE } from './mcp.module-definition.js';
import { listed, refuseUnknown } from './options/option-rules.js';
import { mcpProviders } from './mcp.providers.js';

const TWO_CORES =
  'The app and nestjs-mcp load two copies of @nestjs/core, so the app cannot start. Find them with npm ls @nestjs/core, and install one for both, for example with npm dedupe.';

/**
 * Reports the cause if the app runs on another copy of `@nestjs/core` than this package. Every app has a container of
 * modules, so it is missing only under the class of the other copy. Otherwise Nest would name a missing provider.
 */
@Injectable()
export class CoreCopiesAlarm {
  constructor(@Optional() @Inject(ModulesContainer) modules: ModulesContainer | undefined) {
    if (modules === undefined) new Logger('McpModule').error(TWO_CORES);
  }
}

/** Holds the components of one `McpModule.forFeature()`. */
@Module({})
class McpFeatureModule {}

/**
 * Serves the decorated components of an app as an MCP server.
 *
 * @example
 * ```ts
 * @Module({ imports: [McpModule.forRoot({ name: 'greeter', version: '0.1.0' })], providers: [Greeter] })
 * export class AppModule {}
 * ```
 * @publicApi
 */
@Module({ providers: [CoreCopiesAlarm, ...mcpProviders, BootReport, ChangeAnnouncer, McpLifecycle] })
export class McpModule extends ConfigurableModuleClass {
  /** A server whose options are known now. */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /** A server whose options are created with other providers; `server` and `include` have to be known now. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /** Adds providers with components to one server, whichever module declares them. */
  static forFeature(options: {
    readonly server?: string;
    readonly providers: readonly Provider[];
    readonly imports?: DynamicModule['imports'];
  }): DynamicModule {
    refuseUnknown(options, 'forFeature');
    const { server = DEFAULT_SERVER, imports = [] } = options;
    const providers = listed(options.providers, 'forFeature.providers');
    return {
      module: McpFeatureModule,
      imports,
      providers: [...providers, { provide: MCP_FEATURE, useValue: Object.freeze({ server }) }],
      exports: [...providers].map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }
}
